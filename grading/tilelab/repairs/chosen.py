"""Says what the repairs that passed have in common: the cause, or several that it may be."""

from __future__ import annotations

import re
from collections.abc import Sequence

from msgspec.structs import replace

from tilelab.model.failure import Cause
from tilelab.repairs.code import Code
from tilelab.repairs.edit import Edit

# More are not worth reading: the place of the fault is not known then.
_MOST = 3
_LONGEST = 60
_NOTHING = re.compile(r"\}*|//.*")


def of(edits: Sequence[Edit], code: Code) -> tuple[Cause, ...]:
    """The causes that these edits confirm, the most plausible first. They come in that order.

    Edits of one kind near each other are the same cause. Where some edits change what is there and
    others only remove it, those that remove say nothing. Nor do those that do more than another.
    """
    telling = [one for one in edits if not one.kind.removes] or list(edits)
    telling = [one for one in telling if not any(_does_more(one, other) for other in telling)]
    found: list[Edit] = []
    for edit in telling:
        if not any(_is_same(edit, other) for other in found):
            found.append(edit)
    causes = tuple(_cause(one, code) for one in found[:_MOST])
    return _told_apart(causes, code.text.decode().splitlines())


def _does_more(one: Edit, other: Edit) -> bool:
    return set(other.changes) < set(one.changes)


def _told_apart(causes: tuple[Cause, ...], source: Sequence[str]) -> tuple[Cause, ...]:
    """The causes. Where all are the ends of blocks, they are at the last statements of these."""
    if len(causes) == 1 or any(source[one.line - 1].strip() != "}" for one in causes):
        return causes
    by_line: dict[int, Cause] = {}
    for one in causes:
        last = _last_statement(one.line, source)
        by_line.setdefault(last, replace(one, line=last, word="", others=()))
    return tuple(by_line.values())


def _last_statement(line: int, source: Sequence[str]) -> int:
    """The last line up to this one that is more than the end of a block or a comment."""
    return next(
        (i for i in range(line, 0, -1) if not _NOTHING.fullmatch(source[i - 1].strip())), line
    )


def _is_same(one: Edit, other: Edit) -> bool:
    """Whether two edits lead to the same place."""
    if one.line == other.line:
        return True
    return one.kind.name == other.kind.name and abs(one.line - other.line) <= 2


def _cause(edit: Edit, code: Code) -> Cause:
    return Cause(
        edit.kind.name,
        edit.line,
        " ".join(edit.word.split())[:_LONGEST],
        edit.kind.asks,
        edit.kind.idea,
        _form(edit, code),
        others=_other_lines(edit, code),
    )


def _other_lines(edit: Edit, code: Code) -> tuple[int, ...]:
    """What else the edit changes, if the line to look at is one of those that it changes."""
    changed = {code.text.count(b"\n", 0, one.begin) + 1 for one in edit.changes}
    return tuple(sorted(changed - {edit.line})) if edit.line in changed else ()


def _form(edit: Edit, code: Code) -> str:
    """The edit, as the lines that it changes: before and after."""
    before = code.text.decode().splitlines()
    after = edit.applied(code.text).decode().splitlines()
    if len(before) != len(after):
        return "\n".join(one.text for one in edit.changes)
    changed = [i for i, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
    return "\n".join(f"line {i + 1}: {after[i].strip()}" for i in changed)

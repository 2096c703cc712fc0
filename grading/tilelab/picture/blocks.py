"""Makes a copy of a source whose blocks are small enough for a picture."""

from __future__ import annotations

import re
from dataclasses import dataclass

from tilelab.picture.constants import Constant, constants
from tilelab.pipeline.texts.tokens import parse

_NAME = re.compile(r"block|threads", re.IGNORECASE)
# Not blocks in a grid, work of a thread, or one of a block's two directions.
_OTHER = re.compile(r"blocks|per_?thread|_[xyz]$", re.IGNORECASE)


_MOST_THREADS = 1024


@dataclass(frozen=True)
class Copy:
    """A source for a picture, and a sentence about how it differs from the file.

    `size` is the number of threads that a block of it should have, None if that is not known.
    `change` is what was changed: "block = 4"; "" if nothing was.
    """

    text: str
    note: str = ""
    size: int | None = None
    change: str = ""


def with_block(text: str, size: int, name: str) -> Copy:
    """A copy with another block size, if exactly one constant looks like it.

    That is a whole number whose name has the word `block` or `threads`: `block`, `BLOCK_SIZE`,
    `threads_per_block`. `name` is what the note calls the file.
    """
    tokens = parse(text)
    found = [
        one for one in constants(tokens) if _NAME.search(one.name) and not _OTHER.search(one.name)
    ]
    if len(found) != 1 or _why_not(found[0]) or tokens.text != text:
        return Copy(text, f"{name} is shown with its own block size: {_why(found)}.")
    constant, literal = found[0], found[0].literal
    assert literal is not None
    if constant.value == size:
        return Copy(text, size=size)
    begin = literal.end - len(literal.text)
    changed = text[:begin] + str(size) + text[literal.end :]
    change = f"{constant.name} = {size}"
    note = f"This is a copy of {name} with {change} instead of {constant.value}."
    return Copy(changed, note, size, change)


def _why_not(constant: Constant) -> str:
    if constant.literal is None:
        return f"{constant.name} is computed from other constants"
    if constant.value > _MOST_THREADS:
        return f"a block has at most {_MOST_THREADS} threads, and {constant.name} is more"
    return ""


def _why(found: list[Constant]) -> str:
    if not found:
        return "no constant in it is the size of a block by itself"
    if len(found) == 1:
        return _why_not(found[0]) or "its constant is in lines that continue"
    return f"it has more than one constant for it, {' and '.join(one.name for one in found)}"

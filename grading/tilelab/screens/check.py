"""The verdict on one submission, on one screen: the score, and the first failure to fix."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from tilelab.base.text import one_line
from tilelab.labs.lab import course
from tilelab.model.case import Place, located
from tilelab.model.failure import Causes, Failure
from tilelab.model.lab import Lab
from tilelab.model.result import ESTIMATED, CriterionResult, Result, Status
from tilelab.score import scoring
from tilelab.score.failures import failures
from tilelab.score.scoring import SLOW
from tilelab.screens import failure
from tilelab.screens.layout import cut, cut_left, source_lines, together, wrapped
from tilelab.screens.results import VERDICT, score_text
from tilelab.tutor import skipped

# A terminal has 24 lines. The machine, what to do next and the prompt take the others.
_LINES = 20
_WIDEST = 100

_STYLE: dict[Status, tuple[str, str]] = {
    "pass": ("✓", "green"),
    "partial": ("✗", "yellow"),
    "fail": ("✗", "red"),
    "not_run": ("-", "dim"),
    "review": ("?", "magenta"),
    "estimated": ("~", "cyan"),
}

# How much of what a submission printed is worth a look.
_PRINTED = 3
_MOST_PRINTED = 20

# This many lines a failure gets after the first, if there is room.
_BRIEF = 2

# What the compiler found instead of what it expected, which may be in a later line.
_MISSING = re.compile(r"expected .* before '([^']+)'")

# Any number but that of a line.
_NUMBER = re.compile(r"(?<!\.cu:)\b\d+\b")


def show_check(
    console: Console,
    lab: Lab,
    file: Path,
    result: Result,
    seed: int,
    everything: bool = False,
    hint: bool = True,
    praise: bool = True,
) -> None:
    """Prints the verdict. `everything` shows each failure in full, however long that is.

    Without `hint`, the first failure has none: its cause is shown afterwards. Without
    `praise`, a right file gets none yet: show_praise() follows if a GPU takes it, too.
    """
    name, width = one_line(str(file)), min(console.width, _WIDEST)
    screen = _Screen(lab, name, result, seed, width, hint, praise)
    for line in screen.all_lines() if everything else screen.lines():
        console.print(line)


def show_praise(console: Console, lab: Lab) -> None:
    """Prints what a verdict without praise left out."""
    for line in _praise("Well done!", lab, min(console.width, _WIDEST)):
        console.print(line)


def show_cause(console: Console, lab: Lab, result: Result, causes: Causes) -> None:
    """Prints the causes that were found, or else the hint for the first failure."""
    width, source = min(console.width, _WIDEST), result.source.splitlines()
    first = failures(result)[0]
    for line in failure.cause_lines(causes, source, width) or failure.hint(
        first, lab, source, width
    ):
        console.print(line)


def _praise(says: str, lab: Lab, width: int) -> list[Text]:
    lines = wrapped(says, width, style="bold green")
    if lab.learned:
        lines += wrapped(f"What you learned: {lab.learned}", width)
    return [*lines, *_next_lab(lab, width)]


def _next_lab(lab: Lab, width: int) -> list[Text]:
    labs = course(lab.repo)
    place = [one.name for one in labs].index(lab.name)
    if not (following := labs[place + 1 : place + 2]):
        return [Text("This was the last lab of the course.")]
    name = following[0].name
    says = f"Next lab: {following[0].title}. Read labs/{name}/README.md, then edit"
    return wrapped(f"{says} labs/{name}/{name}.cu.", width)


def _points(row: CriterionResult) -> str:
    """What a criterion earned: "40 / 40", with a word if no test decided that."""
    if row.status == "not_run":
        return "not run"
    marked = f" {ESTIMATED}" if row.status == "estimated" else ""
    return f"{scoring.describe(row)}{marked}"


class _Screen:
    """The lines of a verdict."""

    def __init__(
        self,
        lab: Lab,
        file: str,
        result: Result,
        seed: int,
        width: int,
        hint: bool,
        praise: bool,
    ) -> None:
        self._lab, self._file, self._result, self._seed = lab, file, result, seed
        self._width, self._hint, self._praise = width, hint, praise
        self._source = result.source.splitlines()
        self._failures = failures(result)

    def lines(self) -> list[Text]:
        """As many lines as a small terminal shows, the most important ones first."""
        head = [*self._head(), Text(), *self._first()]
        foot = self._foot()
        room = _LINES - len(head) - len(foot)
        is_right = all(one.pattern == SLOW for one in self._failures)
        notes = [*self._ladder(), *self._errors(), *self._notes()] if is_right else []
        others = [*self._remark(), *notes, *self._printed(_PRINTED)]
        more = [*self._further(_BRIEF), *others]
        if len(more) > room:
            more = [*self._further(1), *others]
        if len(more) > max(room, 0):
            kept = max(room - 1, 0)
            more = [*more[:kept], Text(f"{len(more) - kept} more: --all", style="dim")]
        return [*head, *more, *foot]

    def all_lines(self) -> list[Text]:
        lines = [*self._head(), Text(), *self._first()]
        for other in self._failures[1:]:
            lines += [Text(), *self._in_full(other)]
        if self._result.verdict != "graded":
            for message in self._result.messages[1:]:
                lines += wrapped(self._located(message), self._width, style="red")
        if self._result.criteria:
            lines.append(Text())
        for criterion in self._result.criteria:
            for message in criterion.messages:
                said = f"{criterion.name}: {failure.in_own_file(message, self._file)}"
                lines += wrapped(said, self._width, rest="  ")
        lines += [*self._remark(), *self._ladder(), *self._errors()]
        return [*lines, *self._printed(), *self._foot()]

    def _head(self) -> list[Text]:
        title = Text(f"{self._lab.title}   ", style="bold")
        if self._result.verdict == "graded":
            title.append(f"{score_text(self._result)}   ")
        else:
            title.append_text(Text.from_markup(f"{VERDICT[self._result.verdict]}   "))
        title.append(cut_left(self._file, self._width - len(title)), style="dim")
        return [title, *self._criteria()] if self._result.criteria else [title]

    def _criteria(self) -> list[Text]:
        cells = []
        for row in self._result.criteria:
            sign, style = _STYLE[row.status]
            cells.append(Text(f"{sign} {row.name} {_points(row)}", style=style))
        lines = [Text()]
        for cell in cells:
            if len(lines[-1]) + 3 + len(cell) > self._width:
                lines.append(Text())
            lines[-1] = Text.assemble(lines[-1], "   ", cell) if lines[-1] else cell
        return lines

    def _first(self) -> list[Text]:
        """What the student should read first."""
        if self._result.verdict != "graded":
            return self._refused()
        said = [
            line
            for message in self._result.messages
            for line in wrapped(message, self._width, style="yellow")
        ]
        if self._failures:
            return [*said, *self._in_full(self._failures[0])]
        return [*said, *self._passed()]

    def _in_full(self, one: Failure) -> list[Text]:
        lines = failure.in_full(one, self._file, self._source, self._width)
        if one is self._failures[0] and not self._hint:
            return lines
        return [*lines, *failure.hint(one, self._lab, self._source, self._width)]

    def _is_first(self, one: Failure) -> bool:
        """Whether it reads as the first failure, which another pattern may do."""
        first = self._failures[0]
        return (one.line, failure.sentence(one)) == (first.line, failure.sentence(first))

    def _further(self, most: int) -> list[Text]:
        """The other failures in up to this many lines each. What reads the same is there once."""
        others = [one for one in self._failures[1:] if not self._is_first(one)]
        said = [failure.in_brief(other, self._file) for other in others]
        if self._result.verdict != "graded":
            said = [self._located(one) for one in self._result.messages[1:]]
        briefs = [wrapped(one, self._width, rest="  ", style="red", most=most) for one in said]
        different = {tuple(line.plain for line in brief): brief for brief in briefs}
        return [line for brief in different.values() for line in brief]

    def _refused(self) -> list[Text]:
        """The first error of the compiler, or the first rule that the file breaks, and its line."""
        if not self._result.messages:
            return []
        message = self._result.messages[0]
        lines = wrapped(self._located(message), self._width, style="red")
        if place := located(message):
            marked = replace(place, says="")
            is_end = self._lacks_end(place)
            lines += source_lines(self._source, marked, self._width, is_end=is_end)
        return lines

    def _lacks_end(self, place: Place) -> bool:
        """Whether what the compiler misses, such as a semicolon, is missing where the line ends."""
        code = "".join(self._source[place.line - 1 : place.line])
        following = _MISSING.search(place.says)
        return following is not None and following[1] not in code

    def _located(self, message: str) -> str:
        """The message with the student's own path: the compiler knows another name of the file."""
        if place := located(message):
            return f"{self._file}:{place.line}: {place.says}"
        name = f"{self._lab.name}.cu "
        return f"{self._file} {message.removeprefix(name)}" if message.startswith(name) else message

    def _passed(self) -> list[Text]:
        waiting = [row.name for row in self._result.criteria if row.status == "not_run"]
        says = "Every test passes."
        if waiting:
            says = f"Every test that ran here passes ({', '.join(waiting)} did not run)."
        elif estimated := [row.name for row in self._result.criteria if row.status == "estimated"]:
            says = f"Every test passes ({', '.join(estimated)} is {ESTIMATED})."
        if not self._praise:
            return wrapped(says, self._width)
        return _praise(f"Well done! {says}", self._lab, self._width)

    def _remark(self) -> list[Text]:
        return wrapped(self._result.remark, self._width, style="yellow")

    def _ladder(self) -> list[Text]:
        """The student's kernel between those of the lab, if it was timed."""
        rungs = [rung for row in self._result.criteria for rung in row.ladder]
        lines = [Text("Times as fast as the baseline:")] if rungs else []
        for rung in rungs:
            text = f"{'>' if rung.is_own else ' '} {rung.speedup:6.2f}  {rung.name}"
            lines.append(Text(text, style="bold" if rung.is_own else "dim"))
        return lines

    def _errors(self) -> list[Text]:
        return [
            Text(
                f"Errors of {one.output}: RMS {one.rms:.2g}, largest {one.largest:.2g} "
                f"(over {one.elements} element{'' if one.elements == 1 else 's'})",
                style="dim",
            )
            for one in self._result.errors
        ]

    def _notes(self) -> list[Text]:
        """What was measured, what the judge remarks on its tests, and why some did not run."""
        said = {one.message for one in self._failures}
        lines: list[Text] = []
        for row in self._result.criteria:
            timed = row.messages if row.name in self._timed or row.status == "not_run" else []
            for note in (one for one in timed if one not in said):
                lines += wrapped(f"{row.name}: {note}", self._width, rest="  ", style="dim")
            notes = [one.text for case in row.cases if case.passed for one in case.messages]
            for alike in _alike(one for one in notes if one not in timed):
                more = f" ({len(alike) - 1} more like this: --all)" if alike[1:] else ""
                why = skipped.reason(alike[0], self._result.source)
                says = " ".join(filter(None, (alike[0], why)))
                note = f"{row.name}: {failure.in_own_file(says, self._file)}{together(more)}"
                lines += wrapped(note, self._width, rest="  ", style="dim")
        return lines

    @property
    def _timed(self) -> set[str]:
        return {one.name for one in self._lab.criteria if one.curve}

    def _printed(self, most: int | None = None) -> list[Text]:
        """What each call printed, or `most` lines of the call that matters most."""
        calls = [one for one in self._result.printed if one.text.strip()]
        if most is not None:
            test = self._failures[0].test if self._failures else ""
            calls = sorted(calls, key=lambda one: one.test != test)[:1]
        lines: list[Text] = []
        for one in calls:
            printed = one.text.rstrip().splitlines()
            where = f" in {one.call}" if one.call else ""
            lines.append(Text(cut(f"Your program printed{where}:", self._width), style="bold"))
            shown = _head_and_tail(printed, most or _MOST_PRINTED)
            lines += [Text(cut(line, self._width), style="dim") for line in shown]
        return lines

    def _foot(self) -> list[Text]:
        if self._result.verdict != "graded":
            return []
        return [Text(f"To repeat this run with the same inputs: --seed {self._seed}", style="dim")]


def _alike(notes: Iterable[str]) -> list[list[str]]:
    """The different notes, in groups that say the same of the same lines with other numbers."""
    groups: dict[str, list[str]] = {}
    for note in dict.fromkeys(notes):
        groups.setdefault(_NUMBER.sub("#", note), []).append(note)
    return list(groups.values())


def _head_and_tail(lines: Sequence[str], most: int) -> list[str]:
    if len(lines) <= most:
        return list(lines)
    tail = (most - 1) // 2
    head = most - 1 - tail
    return [*lines[:head], f"[... {len(lines) - head - tail} more lines ...]", *lines[-tail:]]

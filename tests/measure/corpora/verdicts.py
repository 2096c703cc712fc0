"""Whether a finding is right: what a person says who has read the program."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from outcomes import (
    ENDED_WITH_ERROR,
    RIGHT,
    STOPPED,
    TOO_SLOW,
    Finding,
    Outcome,
)

# Kinds of our own, next to those of the findings.
STOPS = "Stopped"  # the emulator ends the program
DIFFERS = "Differs"  # the checked build ends otherwise than the fast one
REFUSED = "Refused"  # only the fast build compiles it
MISSED = "Missed"  # a defect that nothing was said of


@dataclass(frozen=True)
class Verdict:
    """One entry of verdicts.toml. Without lines, it is about all findings of its kind."""

    program: str
    kind: str
    lines: tuple[str, ...]
    right: bool
    why: str

    def is_about(self, program: str, finding: Finding) -> bool:
        if (self.program, self.kind) != (program, finding.kind):
            return False
        return not self.lines or all(map(self._has, finding.lines))

    def _has(self, place: str) -> bool:
        file, _, number = place.rpartition(":")
        for one in self.lines:
            ours, _, lines = one.rpartition(":")
            first, _, last = lines.partition("-")
            if ours == file and int(first) <= int(number) <= int(last or first):
                return True
        return False


@dataclass(frozen=True)
class Judged:
    """A finding, and what was said of it; None if nobody judged it."""

    program: str
    finding: Finding
    verdict: Verdict | None


def read(path: Path) -> list[Verdict]:
    """The entries. Exits if one is not as it should be."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["verdict"]
    verdicts = []
    for one in entries:
        lines = tuple(one.get("lines", ()))
        assert all(re.fullmatch(r".+:\d+(-\d+)?", line) for line in lines), one
        assert one["why"].strip(), one
        verdicts.append(Verdict(one["program"], one["kind"], lines, one["right"], one["why"]))
    return verdicts


def findings_of(outcome: Outcome) -> list[Finding]:
    """What there is to judge: the mistakes that were found, and how the run itself went wrong."""
    if outcome.checked_compiler_says:
        return [Finding(REFUSED, (), outcome.checked_compiler_says)]
    run = outcome.checked
    if run is None:
        return []
    found = [one for one in run.findings or () if not one.is_note]
    if run.ending == STOPPED:
        found.append(Finding(STOPS, (), run.sentence))
    elif _differs(outcome):
        fast = outcome.fast.ending if outcome.fast else ""
        found.append(Finding(DIFFERS, (), f"{run.ending}; in the fast build {fast}"))
    return found


def _differs(outcome: Outcome) -> bool:
    fast, checked = outcome.fast, outcome.checked
    if fast is None or checked is None or TOO_SLOW in (fast.ending, checked.ending):
        return False
    if checked.findings is None and checked.ending == ENDED_WITH_ERROR:
        return True
    return fast.ending != checked.ending and fast.ending == RIGHT


def judge(outcomes: Sequence[Outcome], verdicts: Sequence[Verdict]) -> list[Judged]:
    """Each finding with its verdict, and the defects that we know of and nothing was said of."""
    judged = []
    for outcome in outcomes:
        for finding in findings_of(outcome):
            said = (one for one in verdicts if one.is_about(outcome.name, finding))
            judged.append(Judged(outcome.name, finding, next(said, None)))
    names = {one.name for one in outcomes if one.checked is not None}
    for one in verdicts:
        if one.kind == MISSED and one.program in names:
            judged.append(Judged(one.program, Finding(MISSED, one.lines, one.why), one))
    return judged


def to_judge(outcomes: Sequence[Outcome], judged: Sequence[Judged]) -> str:
    """What a person has to look at, with all its words."""
    lines = []
    for outcome in outcomes:
        if outcome.fast is not None:
            run = outcome.fast
            lines.append(f"{outcome.name}: {run.ending}: {run.last_line} {run.sentence}")
        for one in judged:
            if one.program == outcome.name:
                said = {None: "?", True: "right", False: "WRONG"}[one.verdict and one.verdict.right]
                lines.append(f"    {said} {one.finding.kind} {one.finding.lines}")
                lines.append(f"        {one.finding.text}")
    return "\n".join(lines) + "\n"

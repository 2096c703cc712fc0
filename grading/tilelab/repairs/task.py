"""What a repair of a submission has to make pass."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import takewhile

from tilelab.model.case import Case
from tilelab.model.lab import Lab
from tilelab.model.result import CriterionResult, Result
from tilelab.score.failures import NEVER_WRITTEN, failures

# Longer files are not worth a search: the labs' own have 30 to 150 lines.
_MOST_BYTES = 20_000

_MEMORY = "memory"

# Most repairs of an endless loop do not end either.
ENDLESS = {"out_of_time", "repeated_work"}


@dataclass(frozen=True)
class Task:
    """One `test` of the criterion `first` for a start, then all tests of the `needed` criteria.

    An edit that also passes the `others` is better than one that does not. If the submission itself
    passes them, one that does not only goes round what is wrong.
    """

    test: str
    first: str
    needed: tuple[str, ...]
    others: tuple[str, ...]
    passes_others: bool = False
    passed: int = 0  # tests of `needed` before this one
    patterns: frozenset[str] = frozenset()  # of the test


def of(result: Result, lab: Lab) -> Task | None:
    """None if nothing failed that an edit could fix, or if nothing is written yet."""
    if result.verdict != "graded" or len(result.source.encode()) > _MOST_BYTES:
        return None
    tested = [one for one in lab.criteria if one.curve is None]
    rows = {row.name: row for row in result.criteria}
    short = [one.name for one in tested if one.name in rows and rows[one.name].falls_short]
    if not short or _is_unfinished(result):
        return None
    failing = [case for case in rows[short[0]].cases if not case.passed and not case.untested]
    if not failing:
        return None
    # What moves too much may go on to do so while the results are put right.
    needed = tuple(one.name for one in tested if one.name != _MEMORY or short == [_MEMORY])
    others = tuple(one.name for one in tested if one.name not in needed)
    passes_others = bool(others) and all(_passes(rows.get(name)) for name in others)
    first = next((case for case in failing if not _is_endless(case)), failing[0])
    before = [case for name in needed if name in rows for case in rows[name].cases]
    passed = list(takewhile(lambda case: case is not first, before))
    patterns = frozenset(one.pattern for one in first.messages if one.pattern)
    return Task(first.name, short[0], needed, others, passes_others, len(passed), patterns)


def _is_endless(case: Case) -> bool:
    """Whether a test takes too long to be the one that each edit is tried with."""
    return any(message.pattern in ENDLESS for message in case.messages)


def _passes(row: CriterionResult | None) -> bool:
    return row is not None and bool(row.cases) and all(case.passed for case in row.cases)


def _is_unfinished(result: Result) -> bool:
    return "TODO" in result.source and any(one.pattern == NEVER_WRITTEN for one in failures(result))

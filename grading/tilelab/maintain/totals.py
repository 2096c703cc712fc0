"""Counts tests that passed, failed and were skipped, and names those that did not pass."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from tilelab.base.text import printable

# How many of the slowest tests are named.
_SLOWEST = 10

# What a test that was skipped for lack of time says first.
_LEFT_OUT = "left out"


@dataclass(frozen=True)
class Totals:
    """How many tests ended how. `times` are the seconds of the slowest, `left_out` names those that
    there was no time for. They are not among the skipped ones."""

    passed: int = 0
    failed: int = 0
    skipped: int = 0
    times: tuple[tuple[float, str], ...] = ()
    left_out: tuple[str, ...] = ()

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.passed + other.passed,
            self.failed + other.failed,
            self.skipped + other.skipped,
            _slowest(self.times + other.times),
            self.left_out + other.left_out,
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"

    def slowest(self) -> Iterator[str]:
        """A line for each of the slowest tests."""
        if self.times:
            yield "The slowest tests:"
        yield from (f"{seconds:8.1f} s  {name}" for seconds, name in self.times)

    def omissions(self) -> Iterator[str]:
        """A line for each test that there was no time for, and what to do about it."""
        yield from (f"left out: {name}" for name in self.left_out)
        if self.left_out:
            count = len(self.left_out)
            yield f"THERE WAS NO TIME FOR {count} TESTS. Run them: ./tilelab test --all"


def _slowest(times: Iterable[tuple[float, str]]) -> tuple[tuple[float, str], ...]:
    return tuple(sorted(times, reverse=True)[:_SLOWEST])


def read_junit(report: Path, what: str, console: Console) -> Totals:
    """Counts the test cases of a report. A missing or empty report counts as a failure."""
    try:
        cases = list(ET.parse(report).getroot().iter("testcase"))
    except (OSError, ET.ParseError):
        cases = []
    if not cases:
        console.print(f"failed: {what} left no report", markup=False)
        return Totals(failed=1)
    failed = [case for case in cases if _has(case, "failure", "error")]
    left_out = [case for case in cases if _is_left_out(case)]
    skipped = [case for case in cases if _has(case, "skipped") and case not in left_out]
    for verdict, some in (("failed", failed), ("skipped", skipped)):
        for case in some:
            console.print(f"{verdict}: {_name(case)}", markup=False)
    return Totals(
        passed=len(cases) - len(failed) - len(skipped) - len(left_out),
        failed=len(failed),
        skipped=len(skipped),
        times=_slowest((float(case.get("time", 0)), _name(case)) for case in cases),
        left_out=tuple(map(_name, left_out)),
    )


def _name(case: ET.Element) -> str:
    return printable(case.get("name", ""))


def _has(case: ET.Element, *tags: str) -> bool:
    return any(case.find(tag) is not None for tag in tags)


def _is_left_out(case: ET.Element) -> bool:
    skipped = case.find("skipped")
    return skipped is not None and skipped.get("message", "").startswith(_LEFT_OUT)


def skipped(console: Console, name: str, why: str) -> Totals:
    """Counts one test, or a whole group, that cannot run here."""
    console.print(f"skipped: {name} ({why})", markup=False)
    return Totals(skipped=1)

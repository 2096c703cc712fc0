"""Counts tests that passed, failed and were skipped, and names those that did not pass."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from tilelab.base.text import printable


@dataclass(frozen=True)
class Totals:
    passed: int = 0
    failed: int = 0
    skipped: int = 0

    def __add__(self, other: Totals) -> Totals:
        return Totals(
            self.passed + other.passed, self.failed + other.failed, self.skipped + other.skipped
        )

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


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
    skipped = [case for case in cases if _has(case, "skipped")]
    for verdict, some in (("failed", failed), ("skipped", skipped)):
        for case in some:
            console.print(f"{verdict}: {printable(case.get('name', ''))}", markup=False)
    return Totals(len(cases) - len(failed) - len(skipped), len(failed), len(skipped))


def _has(case: ET.Element, *tags: str) -> bool:
    return any(case.find(tag) is not None for tag in tags)


def skipped(console: Console, name: str, why: str) -> Totals:
    """Counts one test, or a whole group, that cannot run here."""
    console.print(f"skipped: {name} ({why})", markup=False)
    return Totals(skipped=1)

"""Puts together what the tests found on several backends."""

from __future__ import annotations

from collections.abc import Sequence

from tilelab.model.case import Case


def merge(per_backend: Sequence[Sequence[Case]]) -> list[Case]:
    """Merges the test cases of several backends. A test passes if it passes on each.

    Its messages are those of the first backend on which it failed.
    """
    return [_merge_case(cases) for cases in zip(*per_backend, strict=True)]


def _merge_case(cases: tuple[Case, ...]) -> Case:
    return next((case for case in cases if not case.passed), cases[0])

"""What a judge's tests found, one case at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Message:
    """A sentence for the student, and the id under which a lab may keep a hint."""

    text: str
    pattern: str = ""


@dataclass(frozen=True)
class Case:
    """One test of a judge: its failures, or what it notes although it passed."""

    name: str
    passed: bool
    messages: list[Message]

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]


def merge(per_backend: Sequence[Sequence[Case]]) -> list[Case]:
    """One test case for the same one on several backends: it passes if it passes on each.

    It says what the first backend says on which it failed.
    """
    return [_merge_case(cases) for cases in zip(*per_backend, strict=True)]


def _merge_case(cases: tuple[Case, ...]) -> Case:
    return next((case for case in cases if not case.passed), cases[0])

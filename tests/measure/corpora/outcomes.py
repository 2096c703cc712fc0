"""What can become of a program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from programs import Program

RIGHT = "right by its own check"
WRONG = "wrong by its own check"
NO_CHECK = "ended well, and checks nothing"
WAIVED = "says that it cannot run here"
ENDED_WITH_ERROR = "ended with an error"
STOPPED = "stopped by the emulator"
TOO_SLOW = "needs more time"


@dataclass(frozen=True)
class Finding:
    """What the checked build found. `lines` are the places in the order in which it names them."""

    kind: str
    lines: tuple[str, ...]
    text: str
    is_note: bool = False


@dataclass(frozen=True)
class Run:
    """How a program ended, after how many seconds, and what was found.

    `findings` is None if it ended without a report. `sentence` is what the emulator said itself,
    `last_line` what the program printed last.
    """

    ending: str
    seconds: float
    last_line: str = ""
    sentence: str = ""
    findings: tuple[Finding, ...] | None = None

    def as_json(self) -> dict[str, Any]:
        findings = None if self.findings is None else [vars(one) for one in self.findings]
        return {**vars(self), "findings": findings}

    @staticmethod
    def from_json(data: dict[str, Any]) -> Run:
        found = data.pop("findings")
        findings = None if found is None else tuple(_finding(one) for one in found)
        return Run(**data, findings=findings)


def kind_of(text: str) -> str:
    """The words at the head of a finding's sentence."""
    return re.split(r":|(?<=Failed launch) of ", text, maxsplit=1)[0]


def _finding(data: dict[str, Any]) -> Finding:
    return Finding(kind_of(data["text"]), tuple(data["lines"]), data["text"], data["is_note"])


@dataclass(frozen=True)
class Outcome:
    """What became of a program. Each reason is "" if there was nothing to say."""

    program: Program
    nvcc_says: str
    compiler_says: str = ""
    is_linked: bool = True  # False: neither nvcc nor the emulator finds a library here
    fast: Run | None = None  # None: it was not run
    checked: Run | None = None
    checked_compiler_says: str = ""  # of a program that the fast build compiles
    version: str = ""  # of the emulator
    is_left_out: bool = False  # for lack of time; nothing else is known

    @property
    def name(self) -> str:
        return f"{self.program.collection}/{self.program.name}"

    @property
    def compiled(self) -> bool:
        return not self.nvcc_says and not self.compiler_says


def counted(outcomes: Sequence[Outcome]) -> list[Outcome]:
    """Those that nvcc accepts."""
    return [one for one in outcomes if not one.nvcc_says and not one.is_left_out]

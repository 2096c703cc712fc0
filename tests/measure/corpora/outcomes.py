"""What can become of a program."""

from __future__ import annotations

from dataclasses import dataclass

from corpora.programs import Program

RIGHT = "right by its own check"
WRONG = "wrong by its own check"
NO_CHECK = "ended well, and checks nothing"
WAIVED = "says that it cannot run here"
ENDED_WITH_ERROR = "ended with an error"
TOO_SLOW = "needs more time"


@dataclass(frozen=True)
class Outcome:
    """What became of a program. Each reason is "" if there was nothing to say."""

    program: Program
    nvcc_says: str
    compiler_says: str
    ending: str = ""
    is_linked: bool = True  # False: neither nvcc nor the emulator finds a library here

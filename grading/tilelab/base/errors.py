"""The ways in which a command or a submission can fail. Each is graded differently."""

from __future__ import annotations


class UserError(Exception):
    """The user made a mistake. The text names the file and says what to do. Exit status 2."""


class Rejected(Exception):
    """The submission breaks a rule. Each message is a sentence for the student.

    `sha256` is that of the file, if it was read and is no text.
    """

    def __init__(self, *messages: str, sha256: str | None = None) -> None:
        super().__init__("; ".join(messages))
        self.messages = list(messages)
        self.sha256 = sha256


class CompileError(Exception):
    """The submission does not compile. The messages are lines of the compiler's output.

    `located` is False if none of them names a line of the submission: then it may not be to blame.
    """

    def __init__(self, messages: list[str], *, located: bool) -> None:
        super().__init__(messages[0])
        self.messages = messages
        self.located = located


class SubmissionFailed(Exception):
    """The submission failed while it was timed. The arguments say how."""


class InfraError(Exception):
    """The machine or the harness failed. That must never cost a student points."""


class Stopped(Exception):
    """The user interrupted the work."""

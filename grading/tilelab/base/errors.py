"""How a command or a submission can fail: told apart, because they are graded apart."""

from __future__ import annotations


class UserError(Exception):
    """The command was used wrongly; the text says which file and what to do. Exit status 2."""


class Rejected(Exception):
    """The submission breaks a rule; each text is a sentence for the student."""

    def __init__(self, *messages: str) -> None:
        super().__init__("; ".join(messages))
        self.messages = list(messages)


class CompileError(Exception):
    """The submission does not compile; the lines are the compiler's.

    `located` is False where they name no line of it, so that it may not be the submission's fault.
    """

    def __init__(self, messages: list[str], *, located: bool) -> None:
        super().__init__(messages[0])
        self.messages = messages
        self.located = located


class SubmissionFailed(Exception):
    """The submission failed while it was timed; the texts say how."""


class InfraError(Exception):
    """The machine or the harness failed, which must never become a student's grade."""


class Stopped(Exception):
    """The user interrupted the work."""

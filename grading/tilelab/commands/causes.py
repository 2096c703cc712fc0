"""Looks for the cause of a failure, with a Python that can parse the file."""

from __future__ import annotations

from tilelab import repairs
from tilelab.model.failure import Causes
from tilelab.model.lab import Lab
from tilelab.model.result import Result
from tilelab.pipeline.harness.session import Session
from tilelab.repairs import task

# A student may as well read the failure meanwhile.
_SECONDS = 20


def can_be_found(result: Result, lab: Lab) -> bool:
    """Whether the result has a failure that an edit could fix, and edits can be tried here."""
    return repairs.is_available() and task.of(result, lab) is not None


def of(result: Result, lab: Lab, session: Session) -> Causes:
    """The causes that are found within some seconds. Raises Stopped."""
    from tilelab.repairs import search  # a Python without the parser has no such module

    return search.find(result, lab, session, _SECONDS)

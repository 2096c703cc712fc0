"""Reads from the log of a build which labs' tests do not compile, and why."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tilelab.base.repository import REPO
from tilelab.base.text import one_line, shorten

_STEP = re.compile(r"^(?=FAILED: |\[\d+/\d+\] )", re.MULTILINE)
_FAILED = re.compile(r"FAILED: (.*\S)")
# What only one lab needs: its judge and the object that connects it to a worker.
_OF_A_LAB = re.compile(r"\b(?:judge|dispatch)_([a-z][a-z0-9_]*)(?:\.dir/|\.o\b|$)")

_ABOVE = re.compile(rf"\A(?:{re.escape(str(REPO))}/|(?:\.\./)+)")  # ccache makes paths relative
_ERROR = re.compile(r"error: |undefined reference to|multiple definition of")
_OF_THE_SYSTEM = re.compile(r"/\S+:\d+:\d+: ")  # a header of the compiler's
_MOST, _LENGTH = 8, 300  # lines, and characters of a line


def labs(log: str) -> frozenset[str]:
    """The labs that explain why a build failed. None if something else failed as well."""
    found = [lab for lab, _ in _failures(log)]
    return frozenset(lab for lab in found if lab is not None) if all(found) else frozenset()


def errors(log: str, lab: str) -> list[str]:
    """The first lines of the compiler that name what is wrong in a lab's tests."""
    # Where a template of ours refuses what a test asks, this line is the lab's.
    asked = re.compile(rf"(?:tests/)?labs/{re.escape(lab)}/\S+:\d+:\d+: +required from here")
    lines = [
        _ABOVE.sub("", line)
        for failed, output in _failures(log)
        if failed == lab
        for line in output.splitlines()
    ]
    found = [line for line in lines if asked.match(line) or _ERROR.search(line)]
    ours = [line for line in found if not _OF_THE_SYSTEM.match(line)]
    return [one_line(shorten(line, _LENGTH)) for line in dict.fromkeys(ours or found)][:_MOST]


def _failures(log: str) -> Iterator[tuple[str | None, str]]:
    """The lab and the output of each step that failed, None for what is no lab's."""
    for step in _STEP.split(log):
        if failed := _FAILED.match(step):
            lab = _OF_A_LAB.search(failed[1])
            # The second line is the command.
            yield lab[1] if lab else None, "".join(step.splitlines(keepends=True)[2:])

"""Test cases: what a judge's tests found."""

from __future__ import annotations

import re

from msgspec import Struct, structs

_LOCATED = re.compile(r"\w+\.cu:(?P<line>\d+):(?:\d+:)? (?P<says>.*)")

# What has no places of its own may still name a line: "Most of it comes from diff.cu:8".
MAIN_SOURCE = r" (?:All of it|Most of it|The largest part) comes from "
_NAMED = re.compile(r"\w+\.cu:(\d+)")

# A name that an error is about: in quotes, also as that of a function with its type, or refused.
_WORD = re.compile(r"(?<!namespace )['\"](?:[\w:*& ]* )?(\w+)['\"(]|(?<![\w.])(\w+) is not allowed")

# What is said of the line where a call was stopped or failed.
_STOPPED = ("fails here", "was running")

# The pattern of a test that ended without a verdict.
_NOT_RUN = "not_run"


class Place(Struct, frozen=True):
    """A line of the submission, the word to point at, and what happens there."""

    line: int
    word: str = ""
    says: str = ""

    @property
    def is_of_stop(self) -> bool:
        """Whether a call was only stopped there, or failed. A finding says more."""
        return self.says in _STOPPED

    def spans(self, code: str) -> list[tuple[int, int]]:
        """Where the word is in this code. All of the code if that is not one place."""
        found = [match.span() for match in re.finditer(_whole(self.word), code)]
        return found if self.word and len(found) == 1 else [(0, len(code))]


def located(text: str) -> Place | None:
    """The place that a message such as "diff.cu:9: error: ..." begins with, if it does."""
    found = _LOCATED.match(text)
    if not found:
        return None
    word = _WORD.search(found["says"])
    return Place(int(found["line"]), (word[1] or word[2]) if word else "", found["says"])


class Message(Struct, frozen=True):
    """A sentence for the student, and its pattern, for which the lab may have a hint.

    The rest is the same as data, as far as there is any. `summary` leaves out what the other fields
    hold: the inputs, such as "n = 2", the lines, and the first wrong `element` with what was
    expected and found there.
    """

    text: str
    pattern: str = ""
    summary: str = ""
    inputs: tuple[str, ...] = ()
    places: tuple[Place, ...] = ()
    element: str = ""
    expected: str = ""
    got: str = ""
    store: Place | None = None  # where a thread stored what the wrong element has
    race_free: bool = False  # it was seen that no two threads race
    variant: str = ""  # what is special about it, so that the hint for the pattern does not fit

    @property
    def telling_lines(self) -> frozenset[int]:
        """The lines of the named places, but not where a call was only stopped or failed."""
        found = structs.replace(self, places=tuple(p for p in self.places if not p.is_of_stop))
        return frozenset(place.line for place in found.named_places)

    @property
    def named_places(self) -> tuple[Place, ...]:
        """The places, or else the line that the sentence names, if it does."""
        if self.places:
            return self.places
        says = re.split(MAIN_SOURCE, self.summary or self.text)[0]
        return tuple(Place(int(line), says=says) for line in _NAMED.findall(self.text)[:1])

    @property
    def shown_places(self) -> tuple[Place, ...]:
        """The named places, or else where the wrong value was stored, if that is known."""
        return self.named_places or ((self.store,) if self.store else ())


class Case(Struct, frozen=True):
    """One test of a judge, with its failures, or its notes if it passed."""

    name: str
    passed: bool
    messages: list[Message]

    @property
    def untested(self) -> str:
        """Why the test could not say anything about the submission; "" if it could."""
        return next((one.summary for one in self.messages if one.pattern == _NOT_RUN), "")

    @property
    def texts(self) -> list[str]:
        return [message.text for message in self.messages]


def _whole(word: str) -> str:
    """Matches the word, and for an operator just its characters."""
    return rf"\b{re.escape(word)}\b" if re.fullmatch(r"\w+", word) else re.escape(word)

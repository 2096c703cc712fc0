"""Edits: small changes of a text, each with what it is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tree_sitter import Node

from tilelab.repairs.code import line_of, says


@dataclass(frozen=True)
class Kind:
    """What edits of a kind change.

    `asks` is the question that leads a student to the mistake, and `idea` says what to know for it.
    `cost` is lower for what beginners get wrong more often. What `removes` is never the only cause:
    code that does more than it should may also be cut where the fault is elsewhere.
    """

    name: str
    asks: str
    idea: str
    cost: float = 1
    removes: bool = False


@dataclass(frozen=True)
class Change:
    """The bytes from `begin` to `end` become `text`."""

    begin: int
    end: int
    text: str


@dataclass(frozen=True)
class Edit:
    """Changes that belong together. `line` and `word` are the place to look at."""

    kind: Kind
    line: int
    word: str
    changes: tuple[Change, ...]
    extra: float = 0  # what it costs beyond its kind

    @property
    def cost(self) -> float:
        return self.kind.cost + self.extra

    def applied(self, text: bytes) -> bytes:
        for one in sorted(self.changes, key=lambda change: change.begin, reverse=True):
            text = text[: one.begin] + one.text.encode() + text[one.end :]
        return text


def replaced(kind: Kind, node: Node, text: str, extra: float = 0, word: str = "") -> Edit:
    """The edit that puts a text in the place of a node."""
    change = Change(node.start_byte, node.end_byte, text)
    return Edit(kind, line_of(node), word or says(node), (change,), extra)


def inserted(kind: Kind, after: Node, text: str, extra: float = 0) -> Edit:
    """The edit that puts a text on the same line after a node."""
    change = Change(after.end_byte, after.end_byte, f" {text}")
    return Edit(kind, int(after.end_point[0]) + 1, "", (change,), extra)


def exchanged(kind: Kind, one: Node, other: Node, extra: float = 0) -> Edit:
    changes = (
        Change(one.start_byte, one.end_byte, says(other)),
        Change(other.start_byte, other.end_byte, says(one)),
    )
    return Edit(kind, line_of(one), says(one), changes, extra)


def joined(edits: Sequence[Edit], extra: float = 0) -> Edit:
    """Several edits at once, about the place of the first."""
    first = edits[0]
    changes = tuple(dict.fromkeys(change for one in edits for change in one.changes))
    return Edit(first.kind, first.line, first.word, changes, first.extra + extra)

"""The student's own file, with what was found at its lines."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tilelab.base.text import printable
from tilelab.model.case import Place
from tilelab.model.grade import Remark


@dataclass(frozen=True)
class Piece:
    """A part of a line. `is_marked` is what a finding points at."""

    text: str
    is_marked: bool = False


@dataclass(frozen=True)
class Line:
    """A line of the file, with what was found there."""

    number: int
    pieces: list[Piece]
    notes: list[str]

    @property
    def text(self) -> str:
        return "".join(piece.text for piece in self.pieces)

    @property
    def carets(self) -> str:
        """What a terminal shows under the line."""
        marks = ("^" if piece.is_marked else " " for piece in self.pieces for _ in piece.text)
        return "".join(marks).rstrip()


def lines(source: str, places: Iterable[Place], remarks: Iterable[Remark] = ()) -> list[Line]:
    """The lines of a file as the compiler counts them, with what people say of them."""
    found: dict[int, list[Place]] = {}
    for place in dict.fromkeys(places):
        found.setdefault(place.line, []).append(place)
    said: dict[int, list[str]] = {}
    for one in remarks:
        said.setdefault(one.line, []).append(one.text)
    texts = source.removesuffix("\n").split("\n") if source else []
    return [
        _line(number, text, found.get(number, []), said.get(number, []))
        for number, text in enumerate(texts, 1)
    ]


def _line(number: int, text: str, places: list[Place], said: list[str]) -> Line:
    code = printable(text.removesuffix("\r").expandtabs(4))
    notes = [printable(note) for note in (*(place.says for place in places), *said) if note]
    return Line(number, _pieces(code, places), list(dict.fromkeys(notes)))


def _pieces(code: str, places: list[Place]) -> list[Piece]:
    indent = len(code) - len(code.lstrip())
    marked = set[int]()
    for place in places:
        for begin, end in place.spans(code.strip()):
            marked.update(range(indent + begin, indent + end))
    pieces: list[Piece] = []
    for position, character in enumerate(code):
        is_marked = position in marked
        if pieces and pieces[-1].is_marked == is_marked:
            pieces[-1] = Piece(pieces[-1].text + character, is_marked)
        else:
            pieces.append(Piece(character, is_marked))
    return pieces

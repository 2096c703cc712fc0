"""The sheet for questions about a student's file, with the answers on a page of their own."""

from __future__ import annotations

from dataclasses import dataclass

from tilelab.base.text import one_line, printable, shorten
from tilelab.model.questions.viva import Question, Viva
from tilelab.report import pages

# Lines of the file on each side of the one that a question is about.
_AROUND = 3
_LONGEST = 200


@dataclass(frozen=True)
class _Line:
    number: int
    text: str
    is_meant: bool


@dataclass(frozen=True)
class _Asked:
    """A question for the page. Of `ask` and `why`, every second part is code."""

    line: int
    ask: list[str]
    lines: list[_Line]
    choices: tuple[str, ...]
    answer: str
    why: list[str]


def page(viva: Viva, student: str, command: str) -> str:
    """The sheet as HTML. `command` makes it again."""
    source = viva.text.removesuffix("\n").split("\n")
    return pages.html(
        "viva",
        lab=viva.title,
        student=one_line(student),
        command=one_line(command),
        questions=[_asked(one, source) for one in viva.questions],
    )


def _asked(question: Question, source: list[str]) -> _Asked:
    begin = max(question.line - 1 - _AROUND, 0)
    lines = [
        _Line(number, shorten(printable(text.expandtabs(4)), _LONGEST), number == question.line)
        for number, text in enumerate(source[begin : question.line + _AROUND], begin + 1)
    ]
    letter = f"{chr(ord('a') + question.answer[0])}: " if question.choices else ""
    return _Asked(
        question.line,
        _parts(question.ask),
        lines,
        tuple(map(printable, question.choices)),
        letter + printable(question.written),
        _parts(question.why),
    )


def _parts(text: str) -> list[str]:
    return printable(text).split("`")

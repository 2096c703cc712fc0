"""What quiz files have in common: questions as HTML, and how people write an answer."""

from __future__ import annotations

import html

from tilelab.base.text import printable
from tilelab.exports.xml_text import safe
from tilelab.model.questions.viva import Question, Viva

# Lines of the file on each side of the one that a question is about.
_AROUND = 3


def asked(question: Question, viva: Viva) -> str:
    """The question and the lines of the file that it is about."""
    lines = viva.text.removesuffix("\n").split("\n")
    begin = max(question.line - 1 - _AROUND, 0)
    shown = [
        f"{number:>4} {printable(text.expandtabs(4))}"
        for number, text in enumerate(lines[begin : question.line + _AROUND], begin + 1)
    ]
    return f"<p>{with_code(question.ask)}</p><pre>{html.escape(safe(chr(10).join(shown)))}</pre>"


def with_code(text: str) -> str:
    """A sentence as HTML. What is between backquotes is code."""
    parts = html.escape(safe(text)).split("`")
    return "".join(f"<code>{one}</code>" if i % 2 else one for i, one in enumerate(parts))


def named(number: int, question: Question) -> str:
    """A name for the question, for lists of them."""
    return f"{number:02} line {question.line}"


def spellings(answer: tuple[int, ...]) -> list[str]:
    """How people write several numbers: (3, 1), 3,1 and so on."""
    apart, close = ", ".join(map(str, answer)), ",".join(map(str, answer))
    return [f"({apart})", f"({close})", apart, close]

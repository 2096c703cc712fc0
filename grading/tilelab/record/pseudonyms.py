"""Takes the names of students out of texts, and puts numbers in their place."""

from __future__ import annotations

import functools
import random
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from tilelab.model.student import Student

# A shorter name is part of too many words to be replaced.
_SHORTEST = 3

# From here on, a key, an id or an address is replaced even within a longer word.
_LONG = 5

_COMMENT = re.compile(
    r"""(?P<comment>//[^\n]*|/\*.*?(?:\*/|\Z))|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?""",
    re.DOTALL,
)
_LETTER = r"[^\W\d_]"

# Fields of records that programs compare, and that hold nothing of a student's.
_FIXED = frozenset("clock lab pattern patterns sha256 status verdict".split())


class Pseudonyms:
    """A number for each student, drawn by lot: s001, s002 and so on.

    `words` are the names of the labs and of C++, which stay what they are in code.
    """

    def __init__(self, students: Iterable[Student], words: Collection[str]) -> None:
        people = list(students)
        random.SystemRandom().shuffle(people)
        self.of = {one.key: f"s{number:03}" for number, one in enumerate(people, 1)}
        all_names: dict[str, str] = {}
        for one in people:
            for name in _names(one):
                all_names.setdefault(name, self.of[one.key])
        self._names = all_names
        vocabulary = "\n".join(words).lower()
        long = [one for one in all_names if len(one) >= _LONG and one not in vocabulary]
        known = set(re.findall(rf"{_LETTER}+", vocabulary))
        rest = all_names.keys() - set(long) - known
        short = [one for one in rest if not one.isdigit()]
        self._long = _any_of(long, "{}")
        self._short = _any_of(short, rf"(?<!{_LETTER}){{}}(?!{_LETTER})")
        self._in_comments = _any_of(all_names, r"(?<![^\W_]){}(?![^\W_])")

    def text(self, text: str) -> str:
        """A text with numbers in place of names."""
        for pattern in (self._long, self._short):
            text = pattern.sub(self._number, text)
        return text

    def source(self, source: str) -> str:
        """The text of a file, without comments that name somebody. No line moves."""
        return self.text(_COMMENT.sub(self._comment, source))

    def data(self, data: Any) -> Any:
        """The same for all texts of a record that is made of JSON."""
        if isinstance(data, str):
            return self.text(data)
        if isinstance(data, list):
            return [self.data(one) for one in data]
        if isinstance(data, Mapping):
            return {
                key: one if key in _FIXED and isinstance(one, str) else self.data(one)
                for key, one in data.items()
            }
        return data

    def _number(self, match: re.Match[str]) -> str:
        name = match[0].lower()
        # A number stays one, so that code stays code.
        return "0" * len(name) if name.isdigit() else self._names[name]

    def _comment(self, match: re.Match[str]) -> str:
        comment = match["comment"]
        named = comment and (self._in_comments.search(comment) or self._long.search(comment))
        if not named:
            return match[0]
        removed = "// removed" if comment.startswith("//") else "/* removed */"
        return removed + "\n" * comment.count("\n")


def _names(student: Student) -> Iterator[str]:
    """All that names a student, in lower case, as it is written with either kind of accents."""
    parts = re.findall(rf"{_LETTER}+", student.name)
    login = student.email.partition("@")[0]
    for name in (student.key, student.name, student.email, student.id, login, *parts):
        if len(name) >= _SHORTEST:
            for form in ("NFC", "NFD"):
                yield unicodedata.normalize(form, name).lower()


def _any_of(words: Iterable[str], form: str) -> re.Pattern[str]:
    """Matches each of the words. It takes no longer for many than for few."""
    tree: dict[str, Any] = {}
    for word in words:
        functools.reduce(lambda node, letter: node.setdefault(letter, {}), word, tree)[""] = {}
    pattern = _branches(tree) if tree else "(?!)"
    return re.compile(form.format(pattern), re.IGNORECASE)


def _branches(node: Mapping[str, Any]) -> str:
    options = [re.escape(letter) + _branches(below) for letter, below in node.items() if letter]
    if not options:
        return ""
    return f"(?:{'|'.join(options)})" + ("?" if "" in node else "")

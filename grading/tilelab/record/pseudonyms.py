"""Takes the names of students out of texts, and puts numbers in their place."""

from __future__ import annotations

import functools
import itertools
import random
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from tilelab.base.text import without_accents
from tilelab.model.student import Student

# A single letter is not looked for.
_SHORTEST = 2

# Two letters that are a name of some, and a word of everybody's: they stay outside of comments.
_OF_ENGLISH = frozenset(
    "ah am an as at be by do go he hi if in is it me my no of oh ok on or so to up us we".split()
)

# From here on, a key, an id or an address is replaced even within a longer word.
_LONG = 5

# No more of a name is looked for.
_LONGEST = 200

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
        known_names = {one.key: list(_names(one)) for one in people}
        letter = _unlike(name for names in known_names.values() for name in names)
        self.of = {one.key: f"{letter}{number:03}" for number, one in enumerate(people, 1)}
        all_names: dict[str, str] = {}
        for key, names in known_names.items():
            for name in names:
                all_names.setdefault(name, self.of[key])
        self._names = all_names
        vocabulary = "\n".join(words).lower()
        long = [one for one in all_names if len(one) >= _LONG and one not in vocabulary]
        known = _OF_ENGLISH.union(re.findall(rf"{_LETTER}+", vocabulary))
        rest = all_names.keys() - set(long) - known
        short = [one for one in rest if not one.isdigit()]
        # No part of 0x1 or of x12, but of x1_2.
        alone = rf"(?<![^\W_]){_any_of(short)}(?!(?<=\d)\d)(?!{_LETTER})"
        self._in_code = re.compile(f"{_any_of(long)}|{alone}")
        whole = rf"(?<![^\W_]){_any_of(all_names)}(?![^\W_])"
        self._in_comments = re.compile(f"{whole}|{self._in_code.pattern}")

    def text(self, text: str) -> str:
        """A text with numbers in place of names."""
        plain, places = _plain(text)
        parts, done = [], 0
        for match in self._in_code.finditer(plain):
            parts += [text[done : places[match.start()]], self._number(match[0])]
            done = places[match.end()]
        return "".join([*parts, text[done:]])

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

    def _number(self, name: str) -> str:
        # A number stays one, so that code stays code.
        return "0" * len(name) if name.isdigit() else self._names.get(name, "somebody")

    def _comment(self, match: re.Match[str]) -> str:
        comment = match["comment"]
        if not comment or not self._in_comments.search(_plain(comment)[0]):
            return match[0]
        removed = "// removed" if comment.startswith("//") else "/* removed */"
        return removed + "\n" * comment.count("\n")


def _unlike(names: Iterable[str]) -> str:
    """What numbers begin with: s, unless somebody is called s001 or the like."""
    taken = {re.sub(r"\d+$", "", name) for name in names}
    return next(one for one in itertools.accumulate(itertools.repeat("s")) if one not in taken)


def _names(student: Student) -> Iterator[str]:
    """All that names a student, in lower case and without accents."""
    user = student.email.partition("@")[0]
    parts = re.findall(rf"{_LETTER}+", without_accents(student.name))
    for name in (student.key, student.name, *student.labels, user, *parts):
        plain = without_accents(name[:_LONGEST])[:_LONGEST]
        if len(plain) >= _SHORTEST:
            yield plain


def _plain(text: str) -> tuple[str, Sequence[int]]:
    """The text in lower case and without accents, and the place of each of its characters."""
    if text.isascii():
        return text.lower(), range(len(text) + 1)
    letters = [(letter, at) for at, one in enumerate(text) for letter in without_accents(one)]
    return "".join(letter for letter, _ in letters), [*(at for _, at in letters), len(text)]


def _any_of(words: Iterable[str]) -> str:
    """A pattern for each of the words. It takes no longer for many than for few."""
    tree: dict[str, Any] = {}
    for word in words:
        functools.reduce(lambda node, letter: node.setdefault(letter, {}), word, tree)[""] = {}
    return _branches(tree) if tree else "(?!)"


def _branches(node: Mapping[str, Any]) -> str:
    options = [re.escape(letter) + _branches(below) for letter, below in node.items() if letter]
    if "" not in node and len(options) == 1:
        return options[0]
    if not options:
        return ""
    return f"(?:{'|'.join(options)})" + ("?" if "" in node else "")

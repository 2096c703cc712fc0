"""A student of the roster."""

from __future__ import annotations

from msgspec import Struct

_BETWEEN = ", "


class Student(Struct, frozen=True):
    """A student of the roster. `key` is the name of the folder with the submissions.

    The rest is what learning systems know a student by, "" where the roster does not say. `section`
    may be several, which are in `sections`. Those of one `group` hand in together.
    """

    key: str
    name: str = ""
    email: str = ""
    id: str = ""  # a string: leading zeros count
    section: str = ""
    group: str = ""
    login: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        """What learning systems know the student by, "" where that is not known."""
        return (self.id, self.login, self.email)

    @property
    def sections(self) -> list[str]:
        return self.section.split(_BETWEEN) if self.section else []


def joined(sections: list[str]) -> str:
    """Several sections as a student has them. None has a comma in its name."""
    return _BETWEEN.join(sections)

"""Which rows of several rosters are of one student."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec.structs import replace

from tilelab.base.text import one_line, shorten, words
from tilelab.collect.roster.names import in_any_order, normal
from tilelab.collect.roster.people import LIKE_KEYS, Roster
from tilelab.model.student import Student

_SURE = ("id", "login", "email", "key", "github", "canvas")
_APART = ("id", "login", "canvas")  # of which nobody has two


class Merging:
    """Adds the rows of one roster to those of the ones before it."""

    def __init__(self, roster: Roster, names: Sequence[str]) -> None:
        """`names` are those of all its rows."""
        self._roster = roster
        self._before = {student.key for student in roster.students}
        self._names = Counter(in_any_order(name) for name in names)
        self._rows: dict[str, str] = {}  # where each student's row is

    def add(self, student: Student, facts: dict[str, str], where: str) -> None:
        """Adds a row to its student, who may be a new one, or says why that cannot be."""
        roster = self._roster
        found = self._sure(facts, where)
        if not found:
            may_be = self._by_name(facts)
            if len(may_be) > 1 or (may_be and self._names[in_any_order(student.name)] > 1):
                who = " or ".join(may_be)
                roster.remarks.append(
                    f"{where}: {_shown(student.name)} may be {who}: give both rows the same id, "
                    "login or email"
                )
                return
            found = may_be[0] if may_be else self._known_key(student.key)
        if first := self._rows.get(normal(found)):
            shown = _shown(student.key)
            roster.remarks.append(f"{where}: {shown} is in {first} already, which counts")
            return
        self._rows[normal(found)] = where.rpartition(", ")[2]
        student = replace(student, key=found)
        if found in self._before:
            self._note_other_group(student, where)
            roster.learn(student, facts)
        else:
            self._note_shared(facts, where)
            roster.add(student, facts)

    def _note_other_group(self, student: Student, where: str) -> None:
        first = self._roster.student(student.key).group
        if student.group and first and student.group != first:
            self._roster.remarks.append(
                f"{where}: {_shown(student.key)} is in group {first} already, which counts, "
                f"and not in {student.group}"
            )

    def _sure(self, facts: dict[str, str], where: str) -> str | None:
        """The student of before whom an id or the like names. The first such counts."""
        found = [
            (kind, key)
            for kind in _SURE
            if facts.get(kind) and len(keys := self._having(kind, facts[kind])) == 1
            for key in keys
        ]
        if not found:
            return None
        kind, key = found[0]
        said = f"{where}: {_named(kind, facts)} is that of {key}"
        for other_kind, other in found[1:]:
            if other != key:
                other_said = f"{_named(other_kind, facts)} that of {other}"
                self._roster.remarks.append(f"{said}, but {other_said}: {key} counts")
                return key
        name, there = facts.get("name", ""), self._roster.student(key).name
        if name and there and not set(words(name)) & set(words(there)):
            self._roster.remarks.append(
                f"{said} ({_shown(there)}), but the name here is {_shown(name)}: {key} counts"
            )
        return key

    def _having(self, kind: str, value: str) -> set[str]:
        kinds = LIKE_KEYS if kind == "key" else ()
        likewise = ("key",) if kind in LIKE_KEYS else kinds
        keys = self._roster.keys(kind, value)
        return keys.union(*(self._roster.keys(one, value) for one in likewise)) & self._before

    def _by_name(self, facts: dict[str, str]) -> list[str]:
        """Students of before with the same name, unless their ids or logins say otherwise."""
        found = sorted(self._roster.keys("name", facts.get("name", "")) & self._before)
        if all(self._differs(key, facts) for key in found):
            return []
        return found

    def _differs(self, key: str, facts: dict[str, str]) -> bool:
        pairs = ((self._roster.values(key, kind), facts.get(kind)) for kind in _APART)
        return any(known and value and normal(value) not in known for known, value in pairs)

    def _known_key(self, key: str) -> str:
        """The key as a student of before has it, whose folder this would be."""
        return next(iter(self._roster.keys("key", key) & self._before), key)

    def _note_shared(self, facts: dict[str, str], where: str) -> None:
        for kind in ("id", "login", "email"):
            if value := facts.get(kind):
                for other in sorted(self._roster.keys(kind, value) - self._before):
                    self._roster.remarks.append(
                        f"{where}: {_named(kind, facts)} is that of {other}, too: it names neither"
                    )


def _named(kind: str, facts: dict[str, str]) -> str:
    return f"the {'folder' if kind == 'key' else kind} {_shown(facts[kind])}"


def _shown(text: str) -> str:
    return shorten(one_line(text), 80)

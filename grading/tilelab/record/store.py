"""The record of a class: an SQLite file, which keeps what was finished whatever happens next.

record/schema.sql and those with a number describe its tables.
"""

from __future__ import annotations

import contextlib
import dataclasses
import datetime
import json
import sqlite3
import threading
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec import structs
from msgspec.structs import replace

from tilelab.base import locks
from tilelab.base.errors import InfraError, UserError
from tilelab.model.evidence import Evidence
from tilelab.model.grade import Adjustment, Answer, Asked, Attainable, Grade, Remark
from tilelab.model.student import Student
from tilelab.pipeline import class_folder
from tilelab.pipeline.harness.session import Machine
from tilelab.record import archive
from tilelab.record.fingerprint import Inputs

NAME = class_folder.RECORD
# What each version adds to the one before it.
_FILES = ("schema.sql", "schema_2.sql", "schema_3.sql", "schema_4.sql")
_SQL = [Path(__file__).with_name(name) for name in _FILES]
_SCHEMA = len(_SQL)
_STUDENT = 'key, name, email, id, section, "group", login'
_STUDENT_ROW = f"student ({_STUDENT}) VALUES (?, ?, ?, ?, ?, ?, ?)"
_LEFT = "left"  # the setting for those who have left the class
_REMARK = "student, lab, sha256, line, text, points, by, at"


@dataclass(frozen=True)
class Entry:
    """A grade in the record, and the key of the evidence behind it."""

    grade: Grade
    evidence: str | None


@contextlib.contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Keeps other graders from the record in `folder`. Raises UserError if one is at work."""
    if not folder.is_dir():
        raise UserError(f"{folder}: there is no such folder; name the one with the record")
    with locks.if_free((folder / NAME).with_suffix(".lock")) as is_locked:
        if not is_locked:
            raise UserError(
                f"another grader is writing to {folder}: wait until it is done, or name another "
                "folder with --out"
            )
        yield


class Store:
    """The record in a folder. All methods may be called from any thread.

    They raise InfraError if the record cannot be read or written, because of a full disk for
    example.
    """

    def __init__(self, folder: Path) -> None:
        """Opens the record in `folder`, or begins one. Raises UserError."""
        self.path = folder / NAME
        self._lock = threading.Lock()
        with self._errors():
            self._database = sqlite3.connect(self.path, check_same_thread=False)
            self._database.execute("PRAGMA foreign_keys = ON")
            self._prepare()

    @classmethod
    def existing(cls, folder: Path) -> Store:
        """Opens the record in `folder`. Raises UserError if there is none."""
        if not (folder / NAME).is_file():
            raise UserError(
                f"{folder} has no {NAME}: name the folder that `./tilelab grade --out` wrote"
            )
        return cls(folder)

    def close(self) -> None:
        self._database.close()

    # --- settings ---------------------------------------------------------------------------------

    def setting(self, name: str) -> str | None:
        rows = self._rows("SELECT value FROM setting WHERE name = ?", name)
        return str(rows[0][0]) if rows else None

    def configure(self, name: str, value: str) -> None:
        with self._transaction() as write:
            write("INSERT OR REPLACE INTO setting VALUES (?, ?)", (name, value))

    # --- evidence ---------------------------------------------------------------------------------

    def has(self, key: str) -> bool:
        return bool(self._rows("SELECT 1 FROM evidence WHERE key = ?", key))

    def evidence(self, key: str) -> Evidence:
        """The evidence with this key, with the text it is about."""
        ((found,),) = self._rows("SELECT found FROM evidence WHERE key = ?", key)
        evidence = archive.evidence_of(found)
        return replace(evidence, source=self.source(evidence.sha256))

    def inputs(self, key: str) -> Inputs:
        ((text,),) = self._rows("SELECT inputs FROM evidence WHERE key = ?", key)
        return Inputs(**json.loads(text))

    def source(self, sha256: str | None) -> str:
        rows = self._rows("SELECT text FROM source WHERE sha256 = ?", sha256)
        return str(rows[0][0]) if rows else ""

    def sources(self, lab: str) -> dict[str, str]:
        """The texts behind the grades that count in a lab, by student."""
        graded = (entry.grade.result for entry in self._entries("WHERE lab = ?", lab))
        texts = {result.student: self.source(result.sha256) for result in graded}
        return {student: text for student, text in texts.items() if text}

    def keep(
        self, lab: str, inputs: Inputs, evidence: Evidence, machine: Machine, seconds: float
    ) -> None:
        """Writes the evidence about a file, in one transaction."""
        described = json.dumps(machine)
        found = archive.evidence_text(evidence)
        with self._transaction() as write:
            write("INSERT OR IGNORE INTO machine (description) VALUES (?)", (described,))
            write("INSERT OR IGNORE INTO source VALUES (?, ?)", (evidence.sha256, evidence.source))
            write(
                "INSERT OR REPLACE INTO evidence VALUES"
                " (?, ?, ?, (SELECT id FROM machine WHERE description = ?), ?, ?)",
                (
                    *(inputs.key, lab, json.dumps(dataclasses.asdict(inputs))),
                    *(described, seconds, found),
                ),
            )

    def machine_of(self, key: str) -> Machine:
        question = "SELECT description FROM machine, evidence WHERE key = ? AND machine = id"
        ((text,),) = self._rows(question, key)
        described: Machine = json.loads(text)
        return described

    def seconds_of(self, key: str) -> float:
        ((seconds,),) = self._rows("SELECT seconds FROM evidence WHERE key = ?", key)
        return float(seconds)

    def lab_of(self, key: str) -> str:
        ((lab,),) = self._rows("SELECT lab FROM evidence WHERE key = ?", key)
        return str(lab)

    def take_evidence(self, other: Store, key: str) -> None:
        """Copies evidence from another record."""
        evidence, machine = other.evidence(key), other.machine_of(key)
        self.keep(other.lab_of(key), other.inputs(key), evidence, machine, other.seconds_of(key))

    def seconds(self) -> dict[str, float]:
        """How long each piece of evidence took, by its key."""
        return dict(self._rows("SELECT key, seconds FROM evidence"))

    def machines(self) -> list[Machine]:
        """The machines that contributed."""
        return [json.loads(text) for (text,) in self._rows("SELECT description FROM machine")]

    def note_left(self, students: Iterable[str]) -> None:
        """Notes who has grades and was not in the class, or not in its roster, this time."""
        self.configure(_LEFT, json.dumps(sorted(students)))

    def left(self) -> set[str]:
        """Those of them who still have grades."""
        return set(json.loads(self.setting(_LEFT) or "[]")) & self.graded_students()

    # --- grades -----------------------------------------------------------------------------------

    def write(self, entries: Iterable[Entry]) -> None:
        """Writes grades, all of them or none."""
        now = _now()
        with self._transaction() as write:
            for entry in entries:
                grade = entry.grade
                write(
                    "INSERT INTO grade (student, lab, evidence, result, submitted, days_late,"
                    " lost_share, written) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                    (
                        *(grade.result.student, grade.result.lab, entry.evidence),
                        archive.result_text(grade.result),
                        *(grade.submitted, grade.days_late, grade.lost_share, now),
                    ),
                )

    def entry(self, student: str, lab: str) -> Entry | None:
        """The grade that counts, without what a person added."""
        return next(self._entries("WHERE student = ? AND lab = ?", student, lab), None)

    def entries(self) -> list[Entry]:
        """The grades that count, by student and lab, without what a person added."""
        return list(self._entries(""))

    def grades(self) -> list[Grade]:
        """The grades that count, by student and lab, with what a person added."""
        return list(self.each_grade())

    def each_grade(self) -> Iterator[Grade]:
        """The same one by one, because those of a large class take a lot of memory."""
        return (entry.grade for entry in self.each_adjusted())

    def each_adjusted(self) -> Iterator[Entry]:
        """The same with the keys of the evidence.

        A file that no test has seen is out of the points of the others, whenever it was graded.
        """
        added, remarks = self._adjustments(), self._remarks()
        attainable: dict[str, Attainable] = defaultdict(Attainable)
        for entry in self._entries(""):
            attainable[entry.grade.result.lab].take(entry.grade)
        for entry in self._entries(""):
            result = entry.grade.result
            who = (result.student, result.lab)
            if result.verdict != "graded":
                result = replace(result, max=attainable[result.lab].most)
            grade = replace(
                entry.grade,
                result=result,
                adjustment=added.get(who),
                remarks=tuple(remarks.get((*who, result.sha256 or ""), ())),
            )
            yield dataclasses.replace(entry, grade=grade)

    def graded_students(self) -> set[str]:
        return {name for (name,) in self._rows("SELECT DISTINCT student FROM grade")}

    def graded(self) -> set[tuple[str, str]]:
        """Who has a grade, and in which lab."""
        return set(self._rows("SELECT DISTINCT student, lab FROM grade"))

    def labs(self) -> list[str]:
        return [name for (name,) in self._rows("SELECT DISTINCT lab FROM grade ORDER BY lab")]

    # --- people -----------------------------------------------------------------------------------

    def students(self) -> dict[str, Student]:
        """The students of the roster, by key."""
        rows = self._rows(f"SELECT {_STUDENT} FROM student ORDER BY key")
        return {row[0]: Student(*row) for row in rows}

    def enroll(self, students: Sequence[Student]) -> None:
        with self._transaction() as write:
            for student in students:
                write(f"INSERT OR REPLACE INTO {_STUDENT_ROW}", structs.astuple(student))

    def adjust(self, student: str, lab: str, points: float | None, comment: str, by: str) -> None:
        """Adds points by hand, in place of what was added before; None takes them back."""
        with self._transaction() as write:
            write(
                "INSERT INTO adjustment (student, lab, points, comment, by, at)"
                " VALUES (?, ?, ?, ?, ?, ?)",
                (student, lab, points, comment, by, _now()),
            )

    def remark(self, remarks: Iterable[tuple[str, str, str, Remark]]) -> None:
        """Notes what people say, each of them with student, lab and the checksum of the file."""
        with self._transaction() as write:
            for student, lab, sha256, one in remarks:
                row = (student, lab, sha256, one.line, one.text, one.points, one.by, one.at)
                write(f"INSERT INTO remark ({_REMARK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)

    def ask(self, questions: Iterable[Asked]) -> None:
        """Notes what students ask. What is known already stays as it is."""
        with self._transaction() as write:
            for one in questions:
                row = (one.id, *structs.astuple(one))
                write("INSERT OR IGNORE INTO question VALUES (?, ?, ?, ?, ?, ?)", row)

    def answer(self, answers: Iterable[tuple[str, Answer]]) -> None:
        """Notes what people answer, each of it once, by the question's id."""
        known = set(self._rows("SELECT question, text, by FROM answer"))
        with self._transaction() as write:
            for question, one in answers:
                if (question, one.text, one.by) not in known:
                    row = (question, *structs.astuple(one))
                    write("INSERT INTO answer (question, text, by, at) VALUES (?, ?, ?, ?)", row)

    def questions(self) -> dict[str, tuple[Asked, list[Answer]]]:
        """What students have asked, by id, with all answers."""
        rows = self._rows("SELECT * FROM question ORDER BY at, student, lab, line, id")
        found: dict[str, tuple[Asked, list[Answer]]] = {
            id: (Asked(*rest), []) for id, *rest in rows
        }
        for id, *rest in self._rows(
            "SELECT question, text, by, at FROM answer ORDER BY at, number"
        ):
            found[id][1].append(Answer(*rest))
        return found

    def take_people(self, other: Store) -> None:
        """Copies what another record has of the roster, and what people did there."""
        adjusted = "student, lab, points, comment, by, at"
        added = other._rows(f"SELECT {adjusted} FROM adjustment ORDER BY number")
        known = set(self._rows(f"SELECT {adjusted} FROM adjustment"))
        said = other._rows(f"SELECT {_REMARK} FROM remark ORDER BY number")
        heard = set(self._rows(f"SELECT {_REMARK} FROM remark"))
        with self._transaction() as write:
            for student in other.students().values():
                write(
                    f"INSERT INTO {_STUDENT_ROW} ON CONFLICT (key) DO UPDATE SET"
                    " section = coalesce(nullif(section, ''), excluded.section),"
                    ' "group" = coalesce(nullif("group", \'\'), excluded."group"),'
                    " login = coalesce(nullif(login, ''), excluded.login)",
                    structs.astuple(student),
                )
            for row in (row for row in added if row not in known):
                write(f"INSERT INTO adjustment ({adjusted}) VALUES (?, ?, ?, ?, ?, ?)", row)
            for row in (row for row in said if row not in heard):
                write(f"INSERT INTO remark ({_REMARK}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
            for row in other._rows("SELECT student, lab, sha256 FROM release"):
                write("INSERT OR IGNORE INTO release VALUES (?, ?, ?)", row)
        asked = other.questions()
        self.ask(question for question, _ in asked.values())
        self.answer((id, one) for id, (_, answers) in asked.items() for one in answers)

    def release(self, student: str, lab: str, sha256: str) -> None:
        """Notes that a person has looked into the impossible times of this file."""
        with self._transaction() as write:
            write("INSERT OR IGNORE INTO release VALUES (?, ?, ?)", (student, lab, sha256))

    def is_released(self, student: str, lab: str, sha256: str | None) -> bool:
        question = "SELECT 1 FROM release WHERE student = ? AND lab = ? AND sha256 = ?"
        return bool(self._rows(question, student, lab, sha256))

    def people(self) -> set[str]:
        """Everybody of whom the record knows anything, by key."""
        tables = ("student", "grade", "adjustment", "release", "remark", "question")
        names = {"student": "key"}
        asked = (f"SELECT {names.get(table, 'student')} FROM {table}" for table in tables)
        return {name for (name,) in self._rows(" UNION ".join(asked))}

    def comments(self) -> list[tuple[str, str, str]]:
        """All that people wrote about grades, also what no longer counts: whose, which, what."""
        return self._rows(
            "SELECT student, lab, comment FROM adjustment UNION ALL"
            " SELECT student, lab, text FROM remark UNION ALL"
            " SELECT student, lab, answer.text FROM answer, question WHERE question = id"
            " ORDER BY student, lab"
        )

    def forget(self, student: str) -> int:
        """Removes a student, and the texts that no other student has. Says how many those were.

        Nothing of them is left in the file, nor next to it.
        """
        self.note_left(self.left() - {student})
        keep = self._texts_of_others(student)
        with self._lock, self._errors():
            # Without a write-ahead log, which would hold what was deleted.
            self._database.execute("PRAGMA journal_mode = DELETE")
            self._database.execute("PRAGMA secure_delete = ON")
        with self._transaction() as write:
            write("DELETE FROM student WHERE key = ?", (student,))
            asked = "SELECT id FROM question WHERE student = ?"
            write(f"DELETE FROM answer WHERE question IN ({asked})", (student,))
            for table in ("grade", "adjustment", "release", "remark", "question"):
                write(f"DELETE FROM {table} WHERE student = ?", (student,))
            for key, inputs in write("SELECT key, inputs FROM evidence").fetchall():
                if json.loads(inputs)["submission"] not in keep:
                    write("DELETE FROM evidence WHERE key = ?", (key,))
            texts = write("SELECT sha256 FROM source").fetchall()
            gone = [sha256 for (sha256,) in texts if sha256 not in keep]
            for sha256 in gone:
                write("DELETE FROM source WHERE sha256 = ?", (sha256,))
        with self._lock, self._errors():
            self._database.execute("VACUUM")
        return len(gone)

    def _texts_of_others(self, student: str) -> set[str | None]:
        """The checksums of all texts that somebody else handed in at some time."""
        graded = self._rows("SELECT result FROM grade WHERE student != ?", student)
        examined = self._rows(
            "SELECT inputs FROM evidence, grade WHERE evidence = key AND student != ?", student
        )
        found: set[str | None] = {json.loads(text)["sha256"] for (text,) in graded}
        return found | {json.loads(text)["submission"] for (text,) in examined}

    # --- SQLite -----------------------------------------------------------------------------------

    def _prepare(self) -> None:
        version = self._version()
        if version < _SCHEMA:
            tables = "".join(path.read_text(encoding="utf-8") for path in _SQL[version:])
            try:
                self._database.executescript(
                    f"BEGIN EXCLUSIVE; {tables} PRAGMA user_version = {_SCHEMA}; COMMIT"
                )
            except sqlite3.OperationalError:
                self._database.rollback()
                if self._version() != _SCHEMA:  # another program was faster
                    raise
        elif version != _SCHEMA:
            raise UserError(
                f"{self.path} was written by another version of TileLab: grade with that one, or "
                "name another folder with --out"
            )

    def _version(self) -> int:
        ((version,),) = self._database.execute("PRAGMA user_version")
        return int(version)

    def _entries(self, where: str, *values: str) -> Iterator[Entry]:
        numbers = self._rows(
            f"SELECT max(number) FROM grade {where} GROUP BY student, lab ORDER BY student, lab",
            *values,
        )
        for (number,) in numbers:
            ((evidence, result, *rest),) = self._rows(
                "SELECT evidence, result, submitted, days_late, lost_share FROM grade"
                " WHERE number = ?",
                number,
            )
            yield Entry(Grade(archive.result_of(result), *rest), evidence)

    def _adjustments(self) -> dict[tuple[str, str], Adjustment]:
        rows = self._rows(
            "SELECT student, lab, points, comment, by, at FROM adjustment ORDER BY at, number"
        )
        last = {(student, lab): rest for student, lab, *rest in rows}
        return {who: Adjustment(*rest) for who, rest in last.items() if rest[0] is not None}

    def _remarks(self) -> dict[tuple[str, str, str], list[Remark]]:
        """By student, lab and file, in the order of lines: what each person said last."""
        last: dict[tuple[str, str, str, int, str], Remark] = {}
        for student, lab, sha256, *rest in self._rows(
            f"SELECT {_REMARK} FROM remark ORDER BY at, number"
        ):
            one = Remark(*rest)
            last[student, lab, sha256, one.line, one.by.casefold()] = one
        found: dict[tuple[str, str, str], list[Remark]] = {}
        for (student, lab, sha256, *_), one in sorted(last.items(), key=lambda item: item[0][3:]):
            if one.text:
                found.setdefault((student, lab, sha256), []).append(one)
        return found

    def _rows(self, question: str, *values: Any) -> list[Any]:
        with self._lock, self._errors():
            return self._database.execute(question, values).fetchall()

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[Any]:
        with self._lock, self._errors(), self._database:
            yield self._database.execute

    @contextlib.contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:  # a full disk, for example
            raise InfraError(f"{self.path}: {error}") from error
        except sqlite3.DatabaseError as error:
            raise UserError(
                f"{self.path} is damaged ({error}): move it away, or restore a copy"
            ) from error


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="milliseconds")

"""Reads remarks about files from a CSV file with a row each."""

from __future__ import annotations

import dataclasses
import getpass
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.tables import assert_known
from tilelab.base.text import counted, one_line, points_of, suggestion
from tilelab.collect.roster import table
from tilelab.model.course import RubricItem
from tilelab.model.grade import Remark
from tilelab.pipeline.groups import Groups
from tilelab.record.store import Store

_COLUMNS = ("student", "lab", "line", "comment", "points", "item", "by", "answers")
_LONGEST = 4000

# Student, lab, line, who says it, and the question that it answers.
_Place = tuple[str, str, int, str, str]


@dataclass(frozen=True)
class Row:
    """A remark, and the file that it is about, or the id of the question that it `answers`."""

    student: str
    lab: str
    sha256: str
    remark: Remark
    answers: str = ""


def read(path: Path, record: Store, rubric: Mapping[str, RubricItem], now: str) -> list[Row]:
    """All rows of the file. Raises UserError, which names the first row that is wrong."""
    found = table.rows(path)
    header = [cell.strip().casefold() for cell in found[0]] if found else []
    try:
        _assert_columns(header, found[1:])
    except ValueError as error:
        raise UserError(f"{path}: {error}") from error
    reader = _Reader(record, rubric, now)
    rows: dict[_Place, Row] = {}
    problems = []
    for number, cells in enumerate(found[1:], 2):
        texts = dict(zip(header, (cell.strip() for cell in cells), strict=False))
        try:
            if any(texts.values()):
                _add(rows, reader.row(texts))
        except ValueError as error:
            problems.append(f"{path}, row {number}: {error}")
    if problems:
        others = len(problems) - 1
        are = "is" if others == 1 else "are"
        more = f" ({counted(others, 'more row')} {are} wrong)" if others else ""
        raise UserError(f"{problems[0]}{more}; nothing was noted")
    return [*rows.values(), *_for_groups(rows, record)]


def _assert_columns(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Raises ValueError about the first column that is unknown, missing or there twice.

    One without a name and without a text is that of a comma too many.
    """
    for number, name in enumerate(header, 1):
        if not name and any(cell.strip() for cells in rows for cell in cells[number - 1 : number]):
            raise ValueError(f"column {number} has no name: write one in the first line")
    named = [one_line(name) for name in header if name]
    assert_known(named, "", _COLUMNS, "column")
    if "student" not in named or "lab" not in named:
        raise ValueError("its first line must be a header with student, lab, comment")
    for name in named:
        if named.count(name) > 1:
            raise ValueError(f"{named.count(name)} columns are called {name}: keep one of them")


def _for_groups(rows: Mapping[_Place, Row], record: Store) -> Iterator[Row]:
    """What is said of a file that others of the student's group share, for them.

    A row about one of them counts instead.
    """
    groups = Groups(record.students().values())
    graded = (grade.result for grade in record.each_grade())
    texts = {(one.student, one.lab): one.sha256 for one in graded}
    for (student, lab, *place), row in rows.items():
        for other in [] if row.answers else groups.others(student):
            if texts.get((other, lab)) == row.sha256 and (other, lab, *place) not in rows:
                yield dataclasses.replace(row, student=other)


def _add(rows: dict[_Place, Row], row: Row) -> None:
    place = (row.student, row.lab, row.remark.line, row.remark.by.casefold(), row.answers)
    if place in rows:
        raise ValueError("an earlier row is about the same line: write both into one comment")
    rows[place] = row


class _Reader:
    def __init__(self, record: Store, rubric: Mapping[str, RubricItem], now: str) -> None:
        self._record, self._rubric, self._now = record, rubric, now
        results = [grade.result for grade in record.each_grade()]
        self._graded = {(one.student, one.lab) for one in results if one.verdict != "missing"}
        self._texts = {
            (one.student, one.lab): one.sha256
            for one in results
            if one.sha256 and record.source(one.sha256)
        }
        self._students = record.graded_students()
        self._questions = {id: asked for id, (asked, _) in record.questions().items()}

    def row(self, texts: Mapping[str, str]) -> Row:
        """Raises ValueError, which says what is wrong."""
        who = (texts["student"], texts.get("lab", ""))
        if texts.get("answers"):
            return self._answer(who, texts)
        if who not in self._texts:
            raise ValueError(self._unknown(*who))
        item = self._item(texts.get("item", ""))
        text = texts.get("comment", "") or item.text
        points = points_of(texts.get("points", "")) if texts.get("points") else item.points
        if points and not text:
            raise ValueError("points need a comment that says why")
        line = _line(texts.get("line", ""), self._record.source(self._texts[who]))
        return Row(*who, self._texts[who], self._remark(line, text, points, texts))

    def _answer(self, who: tuple[str, str], texts: Mapping[str, str]) -> Row:
        """A row that answers a student's question, and changes no points."""
        id = texts["answers"].lower()
        asked = self._questions.get(id)
        if asked is None or (asked.student, asked.lab) != who:
            raise ValueError(f"{one_line('/'.join(who))} has not asked a question {one_line(id)}")
        if who[0] not in self._students:
            name = one_line(who[0])
            raise ValueError(
                f"{name} has no grade, so no feedback could have the answer: grade first"
            )
        if not texts.get("comment"):
            raise ValueError("an answer needs a comment")
        if texts.get("points") or texts.get("item"):
            raise ValueError("an answer gives no points: give them in a row of its own")
        return Row(*who, "", self._remark(0, texts["comment"], 0, texts), id)

    def _remark(self, line: int, text: str, points: float, texts: Mapping[str, str]) -> Remark:
        if len(text) > _LONGEST:
            raise ValueError(f"the comment has more than {_LONGEST} characters")
        by = texts.get("by", "") or getpass.getuser()
        return Remark(line, text, points, by, self._now)

    def _item(self, name: str) -> RubricItem:
        if name and name not in self._rubric:
            known = ", ".join(self._rubric) or "none: name the course with --course"
            raise ValueError(f"the rubric has no item {one_line(name)}; its items are {known}")
        return self._rubric.get(name, RubricItem(""))

    def _unknown(self, student: str, lab: str) -> str:
        name = one_line(f"{student}/{lab}")
        if (student, lab) in self._graded:
            return f"the record has no text of {name}: it was rejected, or could not be graded"
        near = suggestion(student, (one for one, of in self._texts if of == lab))
        return f"the record has no file {name}{near}"


def _line(text: str, source: str) -> int:
    """A line of the file, 0 for all of it."""
    if not text:
        return 0
    most = source.removesuffix("\n").count("\n") + 1
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not 0 <= int(text) <= most:
        raise ValueError(f"the file has no line {one_line(text)}: its lines are 1 to {most}")
    return int(text)

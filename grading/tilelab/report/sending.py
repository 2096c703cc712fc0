"""Writes the feedback of students: a folder for each, to send back."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.files import write_atomically
from tilelab.base.text import one_line
from tilelab.model.course import Course
from tilelab.report import feedback, pages, words
from tilelab.report.work import Work

FOLDER = "feedback"
QUESTION = "question.md"


@dataclass(frozen=True)
class _Row:
    """A lab in a student's index."""

    lab: str
    title: str
    score: str
    verdict: str
    remarks: str


class Sender:
    """Writes feedback below `out`. `names` has the folder of each student."""

    def __init__(self, out: Path, names: Mapping[str, str], course: Course, hints: bool) -> None:
        self._out, self._names, self._course, self._hints = out, names, course, hints

    def write(self, work: Work) -> None:
        """Writes LAB.html and LAB.md."""
        told = feedback.of(work, self._course, hints=self._hints)
        folder = self._folder(work)
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / f"{told.lab}.html", pages.html("feedback", told=told))
        write_atomically(folder / f"{told.lab}.md", pages.render("feedback.md", told=told))
        if not os.path.lexists(folder / QUESTION):  # which the student may have filled in
            write_atomically(folder / QUESTION, pages.render(QUESTION, lab=told.lab))

    def write_index(self, works: Sequence[Work]) -> None:
        """Writes index.html about the labs of one student, if there are several."""
        folder = self._folder(works[0])
        written = [one for one in works if (folder / f"{one.lab.name}.html").exists()]
        if len(written) > 1:
            page = pages.html(
                "student",
                style_of="feedback",
                student=words.name_of(works[0].student),
                course=one_line(self._course.title),
                rows=[_row(one) for one in written],
            )
            write_atomically(folder / "index.html", page)

    def _folder(self, work: Work) -> Path:
        return self._out / FOLDER / self._names[work.student.key]


def _row(work: Work) -> _Row:
    grade = work.grade
    by_hand = "changed by a person" if grade.by_hand is not None else ""
    return _Row(
        work.lab.name,
        work.lab.title,
        words.score_of(grade),
        words.VERDICT[work.result.verdict],
        ", ".join(filter(None, (words.late_text(grade), by_hand))),
    )

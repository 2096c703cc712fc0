"""The page on which a person writes comments on lines of students' files, and saves them as CSV."""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from typing import Any

from tilelab.base.errors import UserError
from tilelab.base.text import printable
from tilelab.model.course import RubricItem
from tilelab.model.grade import Grade
from tilelab.pipeline.groups import Groups
from tilelab.record.store import Store
from tilelab.report import pages


def page(
    record: Store,
    title: str,
    rubric: Mapping[str, RubricItem],
    students: Collection[str] | None = None,
    labs: Collection[str] = (),
) -> str:
    """The page, with the files of these students and labs, or all. Raises UserError without any.

    A file that several of a group share is there once.
    """
    groups = Groups(record.students().values())
    shared: set[tuple[str, str, str]] = set()
    texts: dict[str, int] = {}
    files = []
    for grade in record.each_grade():
        result = grade.result
        is_meant = students is None or result.student in students
        is_meant &= not labs or result.lab in labs
        if is_meant and result.sha256 and record.source(result.sha256):
            team = groups.name_of(result.student)
            if team and (team, result.lab, result.sha256) in shared:
                continue
            shared.add((team, result.lab, result.sha256))
            number = texts.setdefault(result.sha256, len(texts))
            files.append(_file(grade, number, team))
    if not files:
        raise UserError("the record has none of these files to comment on")
    data = {
        "texts": [printable(record.source(sha256)) for sha256 in texts],
        "files": files,
        "rubric": {name: [one.text, one.points] for name, one in rubric.items()},
    }
    return pages.html("commenting", course=title, data=_in_html(data))


def _file(grade: Grade, number: int, team: str) -> list[Any]:
    said = [[one.line, one.text, one.points, one.by] for one in grade.remarks]
    return [grade.result.student, grade.result.lab, number, said, team]


def _in_html(data: object) -> str:
    """JSON that cannot end the element that it is in."""
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")

"""Whose file counts for a member of a group."""

from __future__ import annotations

from pathlib import Path

import pytest

from tilelab.labs import lab
from tilelab.model.course import Course
from tilelab.model.student import Student
from tilelab.pipeline.class_folder import ClassFolder, Collected, Handed
from tilelab.record import jobs

DIFF = lab.load("diff")
WHEN = "2027-03-01T00:00:00+00:00"


def class_of(at: Path, files: dict[str, str], *members: str) -> ClassFolder:
    for student, text in files.items():
        (at / student).mkdir()
        (at / student / "diff.cu").write_text(text)
    students = [Student(one, group="red") for one in members]
    handed = [Handed(student, "diff", WHEN) for student in files]
    return ClassFolder([at / one for one in files], [], Collected(students, handed))


@pytest.mark.parametrize(
    ("files", "whose"),
    [
        ({"a": "x"}, {"a": "a", "b": "a", "c": "a"}),
        ({"b": "x", "c": "x"}, {"a": "b", "b": "b", "c": "c"}),
        ({"a": "SKELETON", "b": "x"}, {"a": "b", "b": "b", "c": "b"}),
        ({"a": "SKELETON"}, {"a": "a", "b": "b", "c": "c"}),
        ({"a": "x", "b": "y"}, {"a": "a", "b": "b", "c": "c"}),
        ({"z": "x"}, {"a": "a", "b": "b", "c": "c", "z": "z"}),
    ],
)
def test_whose_file_counts(files: dict[str, str], whose: dict[str, str], tmp_path: Path) -> None:
    texts = {
        one: text.replace("SKELETON", DIFF.pristine.read_text()) for one, text in files.items()
    }
    todo = jobs.of_class(tmp_path, class_of(tmp_path, texts, "a", "b", "c"), Course(), ["diff"], [])
    assert {job.student: job.path.parent.name for job in todo} == whose
    for job in todo:
        assert job.submitted == (WHEN if job.path.parent.name in files else None)
    doubts = [job.remark for job in todo if job.remark]
    if len(set(files.values())) == 2 and "SKELETON" not in files.values():
        assert doubts == [
            "c/diff.cu: a and b, of the same group, have different files, so none counts for c: "
            "put the right one there"
        ]
    else:
        assert doubts == []


def test_one_member_may_be_graded_alone(tmp_path: Path) -> None:
    found = class_of(tmp_path, {"a": "x"}, "a", "b")
    (job,) = jobs.of_class(tmp_path, found, Course(), ["diff"], ["b"])
    assert (job.name, job.path) == ("b/diff", tmp_path / "a" / "diff.cu")


def test_a_link_is_nobody_elses_file(tmp_path: Path) -> None:
    found = class_of(tmp_path, {"a": "x"}, "a", "b")
    (tmp_path / "a/diff.cu").unlink()
    (tmp_path / "a/diff.cu").symlink_to("/etc/passwd")
    whose = {
        job.student: job.path.parent.name
        for job in jobs.of_class(tmp_path, found, Course(), [], [])
    }
    assert whose == {"a": "a", "b": "b"}

"""What people say about lines of files, in the record and in grades."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from tilelab.model.grade import Adjustment, Grade, Remark
from tilelab.model.result import Result
from tilelab.record.store import Entry, Store

SQL = Path(__file__).parents[3] / "grading" / "tilelab" / "record" / "schema.sql"


def remark(
    text: str = "why?", line: int = 3, points: float = 0, by: str = "me", at: str = "1"
) -> Remark:
    return Remark(line, text, points, by, at)


def record(folder: Path, *said: Remark, sha256: str = "ab") -> Store:
    folder.mkdir(exist_ok=True)
    store = Store(folder)
    store.write([Entry(Grade(Result("amber", "diff", "graded", 50, 100, "ab")), None)])
    store.remark(("amber", "diff", sha256, one) for one in said)
    return store


def remarks(store: Store) -> list[tuple[int, str, float]]:
    (grade,) = store.grades()
    return [(one.line, one.text, one.points) for one in grade.remarks]


def test_remarks_come_with_the_grade_in_the_order_of_lines(tmp_path: Path) -> None:
    store = record(tmp_path, remark("b", 7), remark("a", 3, -1.5), remark("all", 0, 2))
    assert remarks(store) == [(0, "all", 2), (3, "a", -1.5), (7, "b", 0)]
    assert store.grades()[0].score == 50.5


def test_the_last_word_of_each_person_counts(tmp_path: Path) -> None:
    store = record(
        tmp_path,
        remark("old", by="kim", at="1"),
        remark("other", by="lee", at="2"),
        remark("new", by="kim", at="3"),
    )
    assert remarks(store) == [(3, "new", 0), (3, "other", 0)]
    store.remark([("amber", "diff", "ab", remark("", by="kim", at="4"))])
    assert remarks(store) == [(3, "other", 0)]


def test_they_are_about_one_file(tmp_path: Path) -> None:
    assert remarks(record(tmp_path, remark(points=-5), sha256="an older one")) == []


def test_grading_again_loses_none(tmp_path: Path) -> None:
    store = record(tmp_path, remark(points=-5))
    store.write([Entry(Grade(Result("amber", "diff", "graded", 60, 100, "ab")), None)])
    assert remarks(store) == [(3, "why?", -5)] and store.grades()[0].score == 55


def test_merging_loses_none_and_takes_each_once(tmp_path: Path) -> None:
    one = record(tmp_path / "one", remark("first", by="kim", at="1"), remark("x", 5, by="kim"))
    other = record(tmp_path / "other", remark("second", by="kim", at="2"), remark("y", by="lee"))
    for _ in range(2):
        one.take_people(other)
        other.take_people(one)
    expected = [(3, "second", 0), (3, "y", 0), (5, "x", 0)]
    assert remarks(one) == remarks(other) == expected


def test_the_last_adjustment_counts_in_whichever_record(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = record(tmp_path / "one"), record(tmp_path / "other")
    for at, store, points in (("1", one, 1), ("2", other, 3), ("3", one, 7), ("4", other, 4)):
        monkeypatch.setattr("tilelab.record.store._now", lambda at=at: at)
        store.adjust("amber", "diff", points, "why", "me")
        for _ in range(2):
            one.take_people(other)
        assert [grade.score for grade in one.grades()] == [50 + points]


def test_a_record_of_the_first_version_is_taken_over(tmp_path: Path) -> None:
    old = sqlite3.connect(tmp_path / "record.sqlite")
    old.executescript(f"{SQL.read_text()} PRAGMA user_version = 1;")
    old.execute("INSERT INTO setting VALUES ('seed', '7')")
    old.commit()
    old.close()
    store = record(tmp_path, remark())
    assert store.setting("seed") == "7" and remarks(store) == [(3, "why?", 0)]


def test_a_forgotten_student_has_none(tmp_path: Path) -> None:
    store = record(tmp_path, remark("a secret remark"))
    assert store.comments() == [("amber", "diff", "a secret remark")]
    store.forget("amber")
    store.close()
    assert b"a secret remark" not in (tmp_path / "record.sqlite").read_bytes()


@pytest.mark.parametrize(
    ("score", "adjustment", "said", "expected"),
    [
        (50, None, (), 50),
        (50, 5, (-10,), 45),
        (50, None, (-30, -30), 0),
        (None, None, (), None),
        (None, None, (0,), None),
        (None, None, (7,), 7),
    ],
)
def test_points_of_people_are_added_up(
    score: float | None, adjustment: float | None, said: tuple[float, ...], expected: float | None
) -> None:
    grade = Grade(
        Result("amber", "diff", "graded", score, 100),
        adjustment=None if adjustment is None else Adjustment(adjustment, "c", "me", ""),
        remarks=tuple(remark(line=at, points=points) for at, points in enumerate(said)),
    )
    assert grade.score == expected

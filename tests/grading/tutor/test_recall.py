"""When the quiz asks a question again."""

from __future__ import annotations

import datetime
from pathlib import Path

import pytest

from tilelab.labs import lab
from tilelab.tutor import quiz, recall

DIFF, TRANSPOSE = lab.load("diff"), lab.load("transpose")
FIRST, SECOND = quiz.load(DIFF)[:2]
MONDAY = datetime.datetime(2026, 11, 23, 12, tzinfo=datetime.UTC)


@pytest.fixture(autouse=True)
def _own_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILELAB_PROGRESS", str(tmp_path / "progress"))


def after(days: float) -> datetime.datetime:
    return MONDAY + datetime.timedelta(days=days)


def due(days: float) -> list[str]:
    return [one.question.ask for one in recall.due(after(days))]


def test_it_comes_after_2_days_and_then_after_7_and_21() -> None:
    recall.note(DIFF, FIRST, False, MONDAY)
    assert not due(1.9) and due(2) == [FIRST.ask]
    recall.note(DIFF, FIRST, True, after(2))
    assert not due(8.9) and due(9) == [FIRST.ask]
    recall.note(DIFF, FIRST, True, after(9))
    assert not due(29.9) and due(30) == [FIRST.ask]
    recall.note(DIFF, FIRST, True, after(30))
    assert not due(1000)


def test_a_wrong_answer_begins_anew() -> None:
    recall.note(DIFF, FIRST, False, MONDAY)
    recall.note(DIFF, FIRST, True, after(3))
    recall.note(DIFF, FIRST, False, after(11))
    assert not due(12.9) and due(13) == [FIRST.ask]


def test_a_right_answer_is_no_news_before_its_time() -> None:
    recall.note(DIFF, FIRST, False, MONDAY)
    recall.note(DIFF, FIRST, True, after(0.1))
    recall.note(DIFF, SECOND, True, after(0.1))
    assert due(2) == [FIRST.ask]


def test_those_of_all_labs_come_the_oldest_first() -> None:
    other = quiz.load(TRANSPOSE)[0]
    recall.note(DIFF, SECOND, False, after(1))
    recall.note(TRANSPOSE, other, False, MONDAY)
    found = recall.due(after(8))
    assert [(one.lab.name, one.question) for one in found] == [
        ("transpose", other),
        ("diff", SECOND),
    ]
    assert recall.since(found, after(8)) == "from last week"
    assert recall.since(found, after(5)) == "from 5 days ago"
    assert recall.since(found, after(15)) == "from 2 weeks ago"


def test_what_cannot_be_read_is_nothing(tmp_path: Path) -> None:
    recall.note(DIFF, FIRST, False, MONDAY)
    (tmp_path / "progress" / "diff.quiz.json").write_text("[")
    assert not due(10)

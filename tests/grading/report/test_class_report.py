"""What the report about a class says. How it behaves is tested in a browser."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from made_grades import RACE, SOURCE, WRONG, failing, keep, timed
from synthetic_class import passed
from tilelab.commands.instructor.feedback import feedback
from tilelab.commands.instructor.report import report
from tilelab.model.case import Message
from tilelab.model.evidence import Evidence, infra_error
from tilelab.model.lab import Lab
from tilelab.model.student import Student
from tilelab.record.store import Store
from tilelab.report import charts


@pytest.fixture
def record(tmp_path: Path) -> Store:
    return Store(tmp_path)


def page(folder: Path) -> str:
    report(out=folder)
    return (folder / "report" / "index.html").read_text(encoding="utf-8")


def text(folder: Path) -> str:
    """What the page says, without its style and script."""
    bare = re.sub("<(style|script)>.*?</\\1>", "", page(folder), flags=re.DOTALL)
    return " ".join(unescape(re.sub("<[^>]*>", " ", bare)).split())


def test_the_top_counts_everything(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", passed(1), submitted="2027-03-03T10:00:00+00:00", days_late=1)
    keep(record, "basil", Evidence("missing"))
    keep(record, "clover", infra_error("the disk is full."))
    keep(record, "dill", Evidence("compile_error", messages=("diff.cu:1: error: no.",)))
    record.adjust("dill", "diff", 10, "explained it", "teacher")
    says = text(tmp_path)
    assert "4 students 1 lab 1 graded 1 did not compile 1 missing 1 not graded" in says
    assert "1 late 1 adjusted" in says
    assert "Not graded: the machine failed, not the students." in says
    assert "clover not graded" in says and "amber 70 / 70 1 day late" in says
    # A person's points count for what does not compile.
    assert "dill 10 points did not compile adjusted +10" in says


def test_a_file_of_the_lab_s_own_is_named(record: Store, diff_lab: Lab, tmp_path: Path) -> None:
    baseline, solution = diff_lab.baseline.read_text(), diff_lab.reference.read_text()
    mistake = next((diff_lab.solutions / "mistakes").glob("*.cu")).read_text()
    kept = {
        "amber": baseline,
        "basil": "// mine\n" + baseline.replace("    ", "\t").replace(";\n", "; // right\n"),
        "clover": solution,
        "dill": diff_lab.pristine.read_text(),
        "elder": baseline.replace("const int i", "const int at"),
        "fennel": mistake,
    }
    for student, source in kept.items():
        keep(record, student, passed(1), source=source)
    keep(record, "ginger", Evidence("missing"))
    says = text(tmp_path)
    found = re.findall(r"(\w+) 70 / 70 the same as (the skeleton|[\w/.]+)", says)
    assert found == [
        ("amber", "labs/diff/baseline.cu"),
        ("basil", "labs/diff/baseline.cu"),
        ("clover", "solutions/diff/diff.cu"),
        ("dill", "the skeleton"),
    ]
    assert "4 public" in says
    feedback(out=tmp_path)
    told = (tmp_path / "feedback" / "clover" / "diff.html").read_text()
    assert "solutions/diff" not in told


def test_tests_and_mistakes_are_counted_once_per_file(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", failing("safety", RACE, RACE))
    keep(record, "basil", failing("safety", RACE), source=f"{SOURCE}//\n")
    keep(record, "clover", failing("correctness", WRONG))
    keep(record, "dill", failing("correctness", Message("failed.")))
    says = text(tmp_path)
    tests = re.findall(r"the test that fails diff (\w+) (\d) of (\d)", says)
    assert sorted(tests) == [("correctness", "2", "2"), ("safety", "2", "2")]
    assert "2 data race Put a __syncthreads()" in says
    assert "1 all wrong Try n = 2 on paper" in says
    assert "(1 more failed in ways that have no name)" in says


def test_the_same_content_takes_its_time_once(record: Store, tmp_path: Path) -> None:
    for student in ("amber", "basil", "clover"):
        keep(record, student, passed(1))
    keep(record, "dill", passed(0.5))
    assert "diff 2 2.5 s 2.5 s 0.1 min" in text(tmp_path)
    assert "emulator · g++ 12" in text(tmp_path)


def test_links_lead_to_the_feedback_that_is_there(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", passed(1))
    keep(record, "../up", passed(1))
    assert 'href="../feedback' not in page(tmp_path)
    feedback(out=tmp_path)
    links = re.findall(r'href="(\.\./feedback/[^"]*)"', page(tmp_path))
    assert len(links) == 2
    for link in links:
        assert (tmp_path / "report" / link).resolve().is_file()


def test_speed_is_drawn_where_it_was_measured(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", passed(1))
    assert "Speed" not in text(tmp_path)
    keep(record, "amber", timed(1.2))
    keep(record, "basil", timed(1.5))
    says = page(tmp_path)
    assert "2 timed, median 1.35 times as fast as the baseline" in says
    assert "reference 1.60" in says


def test_speed_that_cannot_be_true_is_for_a_person(record: Store, tmp_path: Path) -> None:
    keep(record, "amber", timed(1.2))
    keep(record, "basil", timed(1.5, cold_ms=9.0))
    says = text(tmp_path)
    assert "1 REVIEW" in says and "basil 70 / 100 REVIEW" in says
    assert "a person has to read these files before their speed counts" in says
    assert "1 timed, median 1.20 times as fast as the baseline" in says


def test_hostile_text_stays_text(record: Store, tmp_path: Path) -> None:
    evil = "</script><script>alert(1)</script>\u202e"
    keep(record, evil, passed(1))
    record.enroll([Student(evil, evil)])
    record.adjust(evil, "diff", 1, f'"><img src=x>{evil}', evil)
    says = page(tmp_path)
    assert len(re.findall("<script", says)) == 1
    assert "<img" not in says and "\u202e" not in says


def test_shares_have_a_bar_for_all_points() -> None:
    chart = charts.shares([0, 0.05, 0.1, 0.699999999999, 0.999, 1.0, 1.2])
    assert [bar.count for bar in chart.bars] == [2, 1, 0, 0, 0, 0, 0, 1, 0, 1, 2]
    assert chart.says.startswith("0 to 9%: 2; 10 to 19%: 1;")


def test_speedups_have_equal_steps_and_marks() -> None:
    chart = charts.speedups([0.5, 1.0, 2.0, 3.9], reference=4.0)
    assert sum(bar.count for bar in chart.bars) == 4
    baseline, reference = (mark.x for mark in chart.marks)
    assert baseline < reference <= charts.WIDTH
    assert charts.speedups([1.0], reference=1.0).bars  # no range at all

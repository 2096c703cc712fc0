"""What is examined, what the record knows, and which grades change."""

from __future__ import annotations

import dataclasses
import datetime
import hashlib
from pathlib import Path

import pytest
from msgspec.structs import replace

from synthetic_class import DIFF, Class, passed
from tilelab.labs.course import lab_of
from tilelab.model.course import Assignment, Course, Late
from tilelab.model.evidence import infra_error
from tilelab.pipeline.harness.session import Session
from tilelab.record import fingerprint
from tilelab.record.grading import Grading


@pytest.fixture
def class_(tmp_path: Path) -> Class:
    return Class(tmp_path)


def test_identical_files_are_examined_once(class_: Class) -> None:
    class_.finds["half"] = passed(0.5)
    jobs = [class_.hand_in(name, text) for name, text in (("a", "x"), ("b", "half"), ("c", "x"))]
    class_.grade(jobs)
    assert class_.examined == [("a/diff.cu", 7), ("b/diff.cu", 7)]
    assert class_.scores() == {"a": 70, "b": 35, "c": 70}


def test_the_record_knows_what_was_examined(class_: Class) -> None:
    jobs = [class_.hand_in("a", "x")]
    class_.grade(jobs)
    class_.grade([*jobs, class_.hand_in("b", "x"), class_.hand_in("c", "y")])
    assert [name for name, _ in class_.examined] == ["a/diff.cu", "c/diff.cu"]
    class_.grade(jobs, again=True)
    assert [name for name, _ in class_.examined][2:] == ["a/diff.cu"]


def test_a_machine_error_is_tried_again(class_: Class) -> None:
    class_.finds["x"] = infra_error("no.")
    jobs = [class_.hand_in("a", "x")]
    class_.grade(jobs)
    assert class_.scores() == {"a": None}
    class_.finds.clear()
    assert class_.grade(jobs).changes == []
    assert class_.scores() == {"a": 70} and len(class_.examined) == 2


def test_a_file_that_is_gone_keeps_its_grade(class_: Class) -> None:
    jobs = [class_.hand_in("a", "x")]
    class_.grade(jobs)
    jobs[0].path.unlink()
    outcome = class_.grade(jobs)
    assert outcome.kept == ["a/diff.cu is gone; the record keeps its grade"]
    assert class_.scores() == {"a": 70}


def test_a_grade_without_its_file_gets_the_points_of_the_course(class_: Class) -> None:
    jobs = [class_.hand_in("a", "x"), class_.hand_in("b", "x")]
    class_.grade(jobs)
    jobs[0].path.unlink()
    class_.course = Course(assignments={"diff": Assignment(total=10)})
    lab = lab_of(class_.course, "diff")
    outcome = class_.grade([dataclasses.replace(job, lab=lab) for job in jobs])
    assert outcome.kept == ["a/diff.cu is gone; the record keeps its grade"]
    outcome.accept()
    assert class_.scores() == {"a": 7, "b": 7}


def test_a_missing_file_is_a_grade_until_it_comes(class_: Class) -> None:
    class_.grade([class_.job("a")])
    assert class_.scores() == {"a": 0}
    class_.grade([class_.hand_in("a", "x")])
    assert class_.scores() == {"a": 70}


def test_a_new_file_replaces_a_grade_without_asking(class_: Class) -> None:
    class_.finds["half"] = passed(0.5)
    class_.grade([class_.hand_in("a", "x")])
    outcome = class_.grade([class_.hand_in("a", "half")])
    assert outcome.changes == [] and class_.scores() == {"a": 35}


def test_new_points_need_no_run_but_a_person_s_consent(class_: Class) -> None:
    class_.grade([class_.hand_in("a", "x")])
    class_.course = Course(assignments={"diff": Assignment({"correctness": 50})})
    outcome = class_.grade([class_.job("a", lab_of(class_.course, "diff"))])
    (change,) = outcome.changes
    assert (change.before.score, change.after.grade.score) == (70, 80)
    assert change.why == ["points, deadline or release"]
    assert class_.scores() == {"a": 70}
    outcome.accept()
    assert class_.scores() == {"a": 80} and len(class_.examined) == 1


def test_a_regrade_counts_as_a_whole_or_not_at_all(
    class_: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [class_.hand_in("a", "x"), class_.hand_in("b", "y")]
    class_.grade(jobs)
    before = class_.record.entries()
    monkeypatch.setattr(fingerprint, "of_lab", lambda *_: "another")
    class_.finds["x"] = passed(0.5)
    outcome = class_.grade(jobs)
    assert (len(outcome.changes), len(outcome.updates)) == (1, 1)
    assert class_.record.entries() == before
    outcome.accept()
    after = class_.record.entries()
    assert all(new.evidence != old.evidence for new, old in zip(after, before, strict=True))


def test_another_seed_is_a_regrade(class_: Class) -> None:
    class_.finds["x"] = passed(0.5)
    jobs = [class_.hand_in("a", "x"), class_.hand_in("b", "y")]
    class_.grade(jobs)
    class_.finds.clear()
    class_.session = dataclasses.replace(class_.session, seed=8)
    outcome = class_.grade(jobs[:1], new_seed=True)
    assert [one.why for one in outcome.changes] == [["the seed"]]
    outcome.accept()
    # Files keep the inputs that they were graded with, late ones get the session's.
    class_.session = dataclasses.replace(class_.session, seed=7)
    assert class_.grade([*jobs, class_.hand_in("c", "z")]).changes == []
    assert class_.examined[-1] == ("c/diff.cu", 7) and len(class_.examined) == 4


@pytest.mark.parametrize("part", ["lab", "harness", "tools"])
def test_what_else_evidence_depends_on(
    class_: Class, monkeypatch: pytest.MonkeyPatch, part: str
) -> None:
    jobs = [class_.hand_in("a", "x")]
    class_.grade(jobs)
    class_.finds["x"] = passed(0.5)
    monkeypatch.setattr(fingerprint, f"of_{part}", lambda *_: "another")
    (change,) = class_.grade(jobs).changes
    assert change.why == [fingerprint.CALLED[part]]


def test_other_criteria_are_not_other_tests(class_: Class) -> None:
    course = Course(assignments={"diff": Assignment({"speed": 0, "memory": 0})})
    job = class_.hand_in("a", "x")
    class_.grade([dataclasses.replace(job, lab=lab_of(course, "diff"))])
    class_.finds["x"] = passed(0.5)
    (change,) = class_.grade([job]).changes
    assert change.why == ["which criteria count"]


def test_other_criteria_and_other_tests_are_other_tests(
    class_: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = Course(assignments={"diff": Assignment({"speed": 0})})
    job = class_.hand_in("a", "x")
    class_.grade([dataclasses.replace(job, lab=lab_of(course, "diff"))])
    class_.finds["x"] = passed(0.5)
    monkeypatch.setattr(fingerprint, "of_lab", lambda *_: "another")
    (change,) = class_.grade([job]).changes
    assert change.why == ["the lab's tests or kernels"]


def test_evidence_from_another_kind_of_node_tells_the_truth_and_is_known(class_: Class) -> None:
    first = {**class_.session.machine(), "gpu": "NVIDIA H200"}
    other = {**first, "gpu": "NVIDIA A100"}
    class_.session = Session((), seed=7, elsewhere=first)
    job = class_.hand_in("a", "x")
    run = Grading(class_.record, class_.course, class_.session, lambda _job, _grade: None)
    (task,) = run.plan([job], new_seed=False, again=False)
    there = dataclasses.replace(task, session=Session((), seed=7, elsewhere=other))
    sha256 = hashlib.sha256(b"x").hexdigest()
    run.done(there, replace(passed(1), sha256=sha256, source="x"), 1)
    assert class_.record.machines() == [other]
    (key,) = class_.record.seconds()
    assert class_.record.inputs(key).tools == fingerprint.of_tools(other, job.lab)
    # Which kind a file meets is luck, so the next run leaves it at that. A new compiler is not.
    class_.grade([job])
    assert not class_.examined
    newer = {**first, "compiler": "GNU 14.2.0"}
    class_.session = Session((), seed=7, elsewhere=newer)
    class_.grade([job])
    assert [name for name, _ in class_.examined] == ["a/diff.cu"]


@pytest.mark.parametrize("estimated", [True, False])
def test_nvdisasm_examines_again_what_it_can_estimate(class_: Class, estimated: bool) -> None:
    criteria = (replace(one, estimated=estimated and bool(one.curve)) for one in DIFF.criteria)
    one = replace(DIFF, criteria=tuple(criteria))
    job = dataclasses.replace(class_.hand_in("a", "x"), lab=one)
    machine = {**class_.session.machine(), "nvdisasm": None}
    examined = []
    for release in (None, "13.0", None, "13.1"):
        there = {**machine, "nvdisasm": release}
        class_.session = Session((), seed=7, elsewhere=there)
        class_.examined.clear()
        class_.grade([job]).accept()
        examined.append(len(class_.examined))
    assert examined == ([1, 1, 0, 1] if estimated else [1, 0, 0, 0])


def test_what_is_examined_again_says_so(class_: Class) -> None:
    job = class_.hand_in("a", "x")
    class_.grade([job])
    class_.finds["x"] = passed(0.5)
    (change,) = class_.grade([job], again=True).changes
    assert change.why == ["examined again"]


def test_lateness_costs_points(class_: Class) -> None:
    deadline = datetime.datetime(2027, 3, 1, tzinfo=datetime.UTC)
    class_.course = Course(assignments={"diff": Assignment({}, deadline)}, late=Late(0.1, 3))
    job = class_.hand_in("a", "x")
    class_.grade([dataclasses.replace(job, submitted="2027-03-02T12:00:00+00:00")])
    (grade,) = class_.record.grades()
    assert (grade.days_late, grade.lost_share, grade.score) == (2, 0.2, 56)


def test_no_file_is_never_late(class_: Class) -> None:
    deadline = datetime.datetime(2027, 3, 1, tzinfo=datetime.UTC)
    class_.course = Course(assignments={"diff": Assignment({}, deadline)}, late=Late(0.1, 3))
    noted = "2027-03-02T12:00:00+00:00"  # by hand, or of a file that is gone
    class_.grade([dataclasses.replace(class_.job("a"), submitted=noted)])
    (grade,) = class_.record.grades()
    assert grade.result.verdict == "missing"
    assert (grade.submitted, grade.days_late, grade.lost_share) == (None, 0, 0)
    class_.grade([dataclasses.replace(class_.hand_in("a", "x"), submitted=noted)])
    (grade,) = class_.record.grades()
    assert (grade.submitted, grade.days_late) == (noted, 2)


def test_a_file_that_changes_while_it_is_graded_is_tried_again(class_: Class) -> None:
    job = class_.hand_in("a", "x")
    run = Grading(class_.record, class_.course, class_.session, lambda _job, _grade: None)
    (task,) = run.plan([job], new_seed=False, again=False)
    run.done(task, replace(passed(1), sha256="another"), 1)
    (grade,) = class_.record.grades()
    assert grade.result.verdict == "infra_error"
    assert "changed while it was graded" in grade.result.messages[0]


def test_a_rejected_file_that_is_gone_gets_the_points_of_the_course(tmp_path: Path) -> None:
    course = Class(tmp_path)
    job = course.hand_in("amber", "x" * 300_000)
    course.grade([job])
    job.path.unlink()
    course.course = Course(assignments={"diff": Assignment(total=20)})
    outcome = course.grade([dataclasses.replace(job, lab=lab_of(course.course, "diff"))])
    assert outcome.kept == ["amber/diff.cu is gone; the record keeps its grade"]
    outcome.accept()
    (grade,) = course.record.grades()
    assert (grade.result.verdict, grade.result.max) == ("rejected", 20)

"""Records of several machines become one."""

from __future__ import annotations

import dataclasses
import datetime
from pathlib import Path

import pytest
from msgspec.structs import replace

import made_grades
import typed
from synthetic_class import Class, passed
from tilelab.labs import lab
from tilelab.labs.course import lab_of
from tilelab.model.case import Case
from tilelab.model.course import Assignment, Course, Late
from tilelab.model.estimate import EstimatedTime
from tilelab.model.evidence import CriterionEvidence, Evidence, infra_error
from tilelab.model.lab import Lab
from tilelab.model.measurement import Interval, Measurement, Timing
from tilelab.pipeline.harness.session import Session
from tilelab.record import archive, fingerprint, merging
from tilelab.record.jobs import Job
from tilelab.record.merging import Counts
from tilelab.record.outcome import Outcome
from tilelab.report import course_noted

LABS = {"diff": lab.load("diff")}
STEPS = [step for one in LABS["diff"].criteria if one.curve for step in one.curve.ladder]
DAY = datetime.timedelta(days=1)
SPEEDUPS = {"baseline": 1.0, "reference": 1.5, "submission": 1.5}
TIMES = {
    "speed": Measurement(
        rounds=9,
        discarded=0,
        sm_mhz=1,
        clock="judge",
        timings={
            name: Timing(ms=1, device_ms=1, cold_ms=1, speedup=Interval(by, by, by))
            for name, by in {**SPEEDUPS, **dict.fromkeys(STEPS, 1.1)}.items()
        },
    )
}


def timed(evidence: Evidence) -> Evidence:
    speed = CriterionEvidence((Case("fast", True, []),), TIMES)
    return replace(evidence, tested={**evidence.tested, "speed": speed})


@pytest.fixture
def laptop(tmp_path: Path) -> Class:
    return made(tmp_path / "laptop")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Class:
    return made(tmp_path / "server")


def made(folder: Path) -> Class:
    folder.mkdir()
    return Class(folder)


def on_a_gpu(server: Class, jobs: list[tuple[str, str]], monkeypatch: pytest.MonkeyPatch) -> None:
    """Grades on a machine with other tools."""
    with monkeypatch.context() as patch:
        patch.setattr(fingerprint, "of_tools", lambda *_: "another machine's")
        for _, text in jobs:
            server.finds[text] = timed(server.finds.get(text, passed(1)))
        server.grade([server.hand_in(*job) for job in jobs])


def merged(laptop: Class, server: Class) -> tuple[Counts, Outcome]:
    outcome = Outcome(laptop.record)
    counts = merging.merge(laptop.record, server.record, laptop.course, LABS, outcome)
    return counts, outcome


def test_speed_joins_a_record_made_without_a_gpu(
    laptop: Class, server: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = [laptop.hand_in("a", "x"), laptop.hand_in("b", "y")]
    laptop.grade(jobs)
    laptop.record.adjust("a", "diff", 2, "why", "ada")
    on_a_gpu(server, [("a", "x"), ("c", "z")], monkeypatch)
    counts, outcome = merged(laptop, server)
    assert counts == Counts(new=1, joined=1, same=0)
    (change,) = outcome.changes
    assert change.why == ["the compiler or the GPU"]
    outcome.accept()
    assert laptop.scores() == {"a": 102, "b": 70, "c": 100}
    # A later run without a GPU takes nothing back.
    assert laptop.grade(jobs).changes == [] and laptop.scores()["a"] == 102
    # The same once more adds nothing.
    assert merged(laptop, server)[0] == Counts(same=2)


def test_a_test_has_to_pass_on_both_machines(
    laptop: Class, server: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop.grade([laptop.hand_in("a", "x")])
    server.finds["x"] = passed(0.5)
    on_a_gpu(server, [("a", "x")], monkeypatch)
    _, outcome = merged(laptop, server)
    (change,) = outcome.changes
    correctness = change.after.grade.result.criteria[0]
    assert (correctness.status, correctness.points) == ("partial", 20)


def test_speed_that_did_not_have_to_be_timed_is_lost(
    laptop: Class, server: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop.finds["x"] = passed(0.5)
    laptop.grade([laptop.hand_in("a", "x")])
    with monkeypatch.context() as patch:
        patch.setattr(fingerprint, "of_tools", lambda *_: "another machine's")
        untimed = {k: v for k, v in passed(0.5).tested.items() if k != "speed"}
        server.finds["x"] = replace(passed(0.5), tested=untimed)
        server.grade([server.hand_in("a", "x")])
    counts, outcome = merged(laptop, server)
    assert (counts.joined, outcome.changes) == (1, [])
    outcome.accept()
    (grade,) = laptop.record.grades()
    assert (grade.score, grade.most) == (35, 100)
    assert grade.result.criteria[-1].messages == [
        "Counts only after every test of correctness passes."
    ]


def test_times_do_not_count_if_another_machine_found_a_mistake(
    laptop: Class, server: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop.finds["x"] = passed(0.5)
    laptop.grade([laptop.hand_in("a", "x")])
    on_a_gpu_alone_it_passes = [("a", "x")]
    on_a_gpu(server, on_a_gpu_alone_it_passes, monkeypatch)
    merged(laptop, server)[1].accept()
    (grade,) = laptop.record.grades()
    assert (grade.score, grade.result.criteria[-1].status) == (35, "fail")


def test_parts_of_a_class(laptop: Class, server: Class) -> None:
    laptop.grade([laptop.hand_in("a", "x")])
    server.finds["y"] = infra_error("no.")
    server.grade([server.hand_in("a", "x"), server.hand_in("b", "x"), server.hand_in("c", "y")])
    server.record.adjust("b", "diff", 3, "why", "ada")
    counts, outcome = merged(laptop, server)
    assert counts == Counts(new=2, same=1) and outcome.changes == []
    assert laptop.scores() == {"a": 70, "b": 73, "c": None}


def test_what_is_taken_has_the_points_and_the_deadline_of_the_course(
    laptop: Class, server: Class
) -> None:
    due = datetime.datetime(2027, 3, 1, tzinfo=datetime.UTC)
    course = Course(assignments={"diff": Assignment(total=35, deadline=due)}, late=Late(0.2, 3))
    late = dataclasses.replace(server.hand_in("a", "x"), submitted="2027-03-01T09:00:00+00:00")
    server.grade([late, server.hand_in("b", "x"), server.hand_in("c", "x")])
    extended = replace(course, submitted={("b", "diff"): due + 2 * DAY})
    outcome = Outcome(laptop.record)
    labs = {"diff": lab_of(course, "diff")}
    merging.merge(laptop.record, server.record, extended, labs, outcome)
    assert laptop.scores() == {"a": 19.6, "b": 14.7, "c": 24.5}


def test_a_record_that_was_graded_with_a_course_needs_it(laptop: Class, server: Class) -> None:
    for one in (laptop, server):
        one.grade([one.hand_in("a", "x")])
    course_noted.write(server.record, Course(path=Path("course.toml")))
    says = f"{server.folder} was graded with a course: name it with --course"
    assert says in typed.said(typed.run("merge", laptop.folder, server.folder), 2)
    (laptop.folder / "course.toml").write_text("")
    course = laptop.folder / "course.toml"
    typed.said(typed.run("merge", laptop.folder, server.folder, "--course", course))


def test_a_release_counts_for_a_grade_that_both_have(laptop: Class, server: Class) -> None:
    server.finds["x"] = laptop.finds["x"] = made_grades.timed(2, cold_ms=100)
    for one in (laptop, server):
        one.grade([one.hand_in("a", "x")])
    (graded,) = laptop.record.grades()
    server.record.release("a", "diff", graded.result.sha256 or "")
    counts, outcome = merged(laptop, server)
    assert counts == Counts(same=1)
    (change,) = outcome.changes
    assert (change.before.score, change.after.grade.score) == (70, 100)


def test_another_file_is_left_out(laptop: Class, server: Class) -> None:
    laptop.grade([laptop.hand_in("a", "x")])
    server.grade([server.hand_in("a", "y")])
    counts, _ = merged(laptop, server)
    assert counts.left == ["a/diff.cu: the records are about different files"]


def test_other_tests_are_left_out(
    laptop: Class, server: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    laptop.grade([laptop.hand_in("a", "x")])
    monkeypatch.setattr(fingerprint, "of_lab", lambda _: "another")
    server.grade([server.hand_in("a", "x")])
    counts, _ = merged(laptop, server)
    assert "was graded with other tests" in counts.left[0]


@pytest.mark.parametrize("own", ["rejected", "graded"])
def test_a_refusal_on_one_machine_stands(own: str) -> None:
    refused, fine = Evidence("rejected", "ab"), Evidence("graded", "ab")
    pair = (refused, fine) if own == "rejected" else (fine, refused)
    assert merging.join(*pair).verdict == "rejected"


NEEDS_A_GPU = CriterionEvidence(not_run="needs an NVIDIA GPU.")


@pytest.mark.parametrize("other", ["rejected", "graded"])
def test_what_one_machine_can_judge_is_in_the_maximum_of_a_refused_file(other: str) -> None:
    refused = Evidence("rejected", "ab", tested={"speed": NEEDS_A_GPU})
    assert merging.join(refused, Evidence("rejected", "ab")).tested == {}
    assert merging.join(timed(passed(1)), refused).tested == {}
    both = merging.join(refused, replace(refused, verdict=other))
    assert both.tested == refused.tested and both.verdict == "rejected"


def test_an_estimate_that_one_record_lacks_is_something_to_add(
    laptop: Class, server: Class, monkeypatch: pytest.MonkeyPatch
) -> None:
    estimated = tuple(replace(one, estimated=bool(one.curve)) for one in LABS["diff"].criteria)
    one = replace(LABS["diff"], criteria=estimated)
    guess = EstimatedTime(
        gpu="NVIDIA X",
        milliseconds=1.0,
        baseline_milliseconds=2.0,
        reference_milliseconds=1.0,
        ladder_milliseconds=dict.fromkeys(STEPS, 1.1),
    )
    for of, release, estimate in (
        (laptop, None, EstimatedTime(gpu="NVIDIA X", missing="that needs nvdisasm")),
        (server, "13.0", guess),
    ):
        speed = replace(NEEDS_A_GPU, estimate=estimate)
        of.finds["x"] = replace(passed(1), tested={**passed(1).tested, "speed": speed})
        machine = {**of.session.machine(), "nvdisasm": release}
        of.session = Session((), seed=7, elsewhere=machine)
        of.grade([replace_lab(of.hand_in("a", "x"), one)])
    outcome = Outcome(laptop.record)
    counts = merging.merge(laptop.record, server.record, Course(), {"diff": one}, outcome)
    assert counts == Counts(joined=1)
    (change,) = outcome.changes
    assert change.why == ["the estimate"]
    assert (change.before.score, change.after.grade.score) == (70, 100)
    outcome.accept()
    # Nothing is taken back: neither by a machine without nvdisasm, nor by its record.
    assert laptop.grade([replace_lab(laptop.hand_in("a", "x"), one)]).changes == []
    assert merging.merge(laptop.record, server.record, Course(), {"diff": one}, outcome) == Counts(
        same=1
    )


def replace_lab(job: Job, lab: Lab) -> Job:
    return dataclasses.replace(job, lab=lab)


def test_an_estimate_stays_beside_the_verdict_of_a_gpu() -> None:
    guess = EstimatedTime(gpu="NVIDIA X", missing="it launches no kernel")
    speed = CriterionEvidence(not_run="needs an NVIDIA GPU.", estimate=guess)
    found = passed(1)
    own = replace(found, tested={**found.tested, "speed": speed})
    for joined in (merging.join(own, timed(found)), merging.join(timed(found), own)):
        assert joined.tested["speed"].times == TIMES
        assert joined.tested["speed"].estimate == guess
        assert archive.evidence_of(archive.evidence_text(joined)).tested == joined.tested


def test_a_record_without_estimates_can_be_read() -> None:
    text = archive.evidence_text(timed(passed(1)))
    assert archive.evidence_of(text.replace(', "estimate": {}', "")).tested["speed"].times == TIMES


def test_files_that_no_test_saw_are_out_of_the_points_of_the_course(
    laptop: Class, server: Class
) -> None:
    laptop.course = Course(assignments={"diff": Assignment(total=20)})
    laptop.grade([laptop.job("amber", lab_of(laptop.course, "diff"))])
    server.grade([server.job("basil"), server.hand_in("cedar", "x" * 300_000)])
    outcome = Outcome(laptop.record)
    labs = {"diff": lab_of(laptop.course, "diff")}
    merging.merge(laptop.record, server.record, laptop.course, labs, outcome)
    most = {one.grade.result.student: one.grade.result.max for one in laptop.record.entries()}
    assert most.keys() == {"amber", "basil", "cedar"} and max(most.values()) == 20
    (verdict,) = (one for one in laptop.record.grades() if one.result.student == "cedar")
    assert verdict.result.verdict == "rejected" and "256 KiB" in verdict.result.messages[0]

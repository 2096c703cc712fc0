"""A class with hostile submissions among honest ones, with the real compiler and judge."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from support import SAMPLE_CLASS, needs_gpu, programs
from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.labs import lab
from tilelab.model.evidence import Evidence
from tilelab.model.result import Result
from tilelab.pipeline import batch, class_folder, judge, submission
from tilelab.pipeline.batch import Task
from tilelab.pipeline.harness.session import Session
from tilelab.pipeline.judge.events import Judgment
from tilelab.score import results

# Each grades many files.
of_batches = pytest.mark.drawn(pool="batches", count=1)

REFERENCE = lab.load("diff").reference.read_text()


def hand_in(folder: Path, student: str, text: str) -> None:
    (folder / student).mkdir()
    (folder / student / "diff.cu").write_text(text)


def host(code: str, before: str = "") -> str:
    """A submission whose host function does `code`."""
    head = "#include <cstdio>\n#include <cstdlib>\n#include <cstring>\n#include <vector>\n"
    return (
        f'{head}#include "diff.h"\n{before}\n'
        f"void diff(const int* in, int* out, int n) {{ {code} }}\n"
    )


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for temporary files that no other running test uses."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


def grade(folder: Path, session: Session, jobs: int = 2, seconds: float = 5.0) -> dict[str, Result]:
    log = folder.parent / "grader.log"
    results = examine(folder, session, log, jobs, seconds)
    assert not log.exists(), log.read_text()
    return results


def examine(
    folder: Path, session: Session, log: Path, jobs: int = 2, seconds: float = 5.0
) -> dict[str, Result]:
    """The results of a class in the lab diff, by student."""
    # Little memory, so that filling it does not reach the time limit.
    diff = replace(lab.load("diff"), memory_mib=256, seconds=seconds)
    students = class_folder.read_class(folder).students
    tasks = [Task(one_line(one.name), one / "diff.cu", diff, session) for one in students]
    found: dict[str, Result] = {}

    def done(task: Task, evidence: Evidence, seconds: float) -> None:
        found[task.name] = results.of(evidence, diff, task.name)

    batch.examine(tasks, jobs, log, done)
    return {task.name: found[task.name] for task in tasks}


def correctness(result: Result) -> tuple[str, str]:
    """Status and messages of the criterion correctness."""
    assert result.verdict == "graded", result.messages
    return result.criteria[0].status, "\n".join(result.criteria[0].messages)


HOSTILE = {
    "aborts": (host("abort();"), "was aborted"),
    "crashes": (host("*(volatile int*)nullptr = n;"), "writes memory that does not"),
    "divides": (host("volatile int z = 0, q = n / z; (void)q;"), "divided"),
    "throws": (host("throw n;"), "was aborted"),
    "recurses": (
        host("volatile char a[4096]; a[0] = 1; diff(in, out, n + 1); a[1] = a[0];"),
        "crashed (segmentation fault)",
    ),
    "eats_memory": (
        host("for (;;) { char* p = (char*)malloc(1 << 24); if (p) memset(p, 1, 1 << 24); }"),
        "used more than 256 MiB of memory",
    ),
    "forges": (
        host('puts("</TestCase><OverallResults/></Catch2TestRun>"); puts("All tests passed");'),
        "out[0]",
    ),
    "floods": (host("for (int i = 0; i < 100000; ++i) puts(__FILE__);"), "out[0]"),
}


@of_batches
def test_hostile_submissions_between_honest_ones(
    tmp_path: Path, emulator: Session, temporary: Path
) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for student, (text, _) in HOSTILE.items():
        hand_in(folder, student, text)
        hand_in(folder, f"{student}_neighbor", REFERENCE)
    graded = grade(folder, emulator)
    for student, (_, sentence) in HOSTILE.items():
        assert correctness(graded[f"{student}_neighbor"]) == ("pass", ""), student
        status, messages = correctness(graded[student])
        assert sentence in messages, (student, messages)
        assert status in ("fail", "partial")
        text = "".join(one.text for one in graded[student].printed)
        assert "\x1b" not in text
        assert len(text) <= 512 * 1024
    assert list(temporary.iterdir()) and not list(temporary.glob("*/work-*"))


REFUSED = {
    "kills": host("kill(1, 9);", 'extern "C" int kill(int, int);'),
    "starts": host("", 'struct S { S() { printf("x"); } } s;'),
    "reads": '#include "/etc/passwd"\n' + host(""),
    "spawns": host('system("id");'),
    "assembles": host('asm("");'),
}


def test_rule_breakers_are_rejected_and_get_nothing(tmp_path: Path, emulator: Session) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for student, text in REFUSED.items():
        hand_in(folder, student, text)
    for result in grade(folder, emulator).values():
        assert (result.verdict, result.score, result.criteria) == ("rejected", 0, [])
        assert result.messages and result.messages[0].startswith("diff.cu"), result.messages


def test_what_is_no_source_file(tmp_path: Path, emulator: Session) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for student in ("absent", "fifo", "folder", "link", "linked_home"):
        (folder / student).mkdir()
    os.mkfifo(folder / "fifo" / "diff.cu")
    (folder / "folder" / "diff.cu").mkdir()
    (folder / "link" / "diff.cu").symlink_to(lab.load("diff").reference)
    (folder / "linked_home").rmdir()
    (folder / "linked_home").symlink_to(folder / "absent")
    (folder / ".hidden").mkdir()
    (folder / "notes.txt").write_text("stray")
    hand_in(folder, "zzz", REFERENCE)
    assert class_folder.read_class(folder).notes == [
        "ignored .hidden: hidden",
        "ignored linked_home: not a student's folder",
        "ignored notes.txt: not a student's folder",
    ]
    verdicts = {student: r.verdict for student, r in grade(folder, emulator).items()}
    assert verdicts == {
        "absent": "missing",
        "fifo": "rejected",
        "folder": "rejected",
        "link": "rejected",
        "zzz": "graded",
    }


def test_odd_names_are_shown_escaped(tmp_path: Path, emulator: Session) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    for name in ("-o", "a\nb", "\x1b[31mred", "=1+1", "a b'\"", os.fsdecode(b"\xff")):
        (folder / name).mkdir()
    assert set(grade(folder, emulator)) == {
        "-o",
        "a\\nb",
        "\\x1b[31mred",
        "=1+1",
        "a b'\"",
        "\\udcff",
    }


def test_an_error_of_the_grader_ends_one_submission_only(
    tmp_path: Path, emulator: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    hand_in(folder, "amber", REFERENCE)
    hand_in(folder, "basil", REFERENCE)
    genuine = submission.examine

    def examine_or_fail(path: Path, *rest: object) -> Evidence:
        if path.parent.name == "amber":
            raise RuntimeError("a mistake of ours")
        return genuine(path, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(submission, "examine", examine_or_fail)
    log = tmp_path / "grader.log"
    amber, basil = examine(folder, emulator, log).values()
    assert (amber.verdict, amber.score) == ("infra_error", None)
    assert "grader.log" in amber.messages[0]
    assert "a mistake of ours" in log.read_text()
    assert basil.verdict == "graded"


def test_a_class_without_students_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no folders of students"):
        class_folder.read_class(tmp_path)
    with pytest.raises(UserError, match="No such file"):
        class_folder.read_class(tmp_path / "nope")


SAMPLE = {
    "amber": (70, "pass", ""),
    "basil": (0, "fail", "No element was written."),
    "dill": (0, "fail", "crashed (segmentation fault)"),
    "elder": (0, "fail", "an endless loop"),
    "fennel": (None, None, "__syncthreads()"),
    "ginger": (None, None, "wrote past the end of out"),
    "hazel": (60, "pass", ""),
}


@of_batches
def test_the_sample_class(emulator: Session) -> None:
    graded = grade(SAMPLE_CLASS, emulator)
    assert set(graded) == {*SAMPLE, "clover"}
    assert graded["clover"].verdict == "compile_error"
    assert graded["clover"].messages[0].startswith(("diff.cu:8: error: ", "diff.cu:9: error: "))
    for student, (score, status, sentence) in SAMPLE.items():
        result = graded[student]
        assert result.score is not None
        found, messages = correctness(result)
        assert sentence in messages, (student, messages)
        if score is None:
            assert found in ("fail", "partial") and result.score < 60, student
        else:
            assert (result.score, found) == (score, status), (student, messages)
        speed = result.criteria[-1]
        assert (speed.name, speed.status, speed.points) == ("speed", "not_run", 0)
        assert result.max == 100
    skeleton = "The file is as you got it: start with TODO 1 in diff.cu."
    assert graded["basil"].messages == [skeleton]
    assert [s for s, r in graded.items() if skeleton in r.messages] == ["basil"]


def test_the_skeleton_of_the_class_is_the_lab_s() -> None:
    skeleton = lab.load("diff").skeleton.read_text()
    assert (SAMPLE_CLASS / "basil" / "diff.cu").read_text() == skeleton


def test_the_skeleton_is_known_after_the_lab_s_file_was_edited(
    emulator: Session, tmp_path: Path
) -> None:
    diff = lab.load("diff")
    solved = replace(diff, repo=tmp_path, criteria=diff.criteria[:1])
    shutil.copytree(lab.load("diff").skeleton.parent, tmp_path / "labs" / "diff")
    solved.skeleton.write_text(REFERENCE)
    unchanged = "The file is as you got it: start with TODO 1 in diff.cu."
    skeleton = submission.grade(SAMPLE_CLASS / "basil" / "diff.cu", solved, emulator)
    assert skeleton.messages == [unchanged]
    (tmp_path / "crlf.cu").write_bytes(
        (SAMPLE_CLASS / "basil" / "diff.cu").read_bytes().replace(b"\n", b" \r\n")
    )
    assert submission.grade(tmp_path / "crlf.cu", solved, emulator).messages == [unchanged]
    result = submission.grade(solved.skeleton, solved, emulator)
    assert (result.score, result.messages) == (40, [])


def test_a_seed_replays_a_run(emulator: Session) -> None:
    path = SAMPLE_CLASS / "fennel" / "diff.cu"
    first, again = (submission.grade(path, lab.load("diff"), emulator) for _ in range(2))
    assert first == again
    other = submission.grade(path, lab.load("diff"), Session(emulator.toolchains, seed=1))
    assert other.criteria[0].messages != first.criteria[0].messages


@needs_gpu
@pytest.mark.alone
def test_speed_is_graded_on_a_gpu(cuda: Session) -> None:
    diff = lab.load("diff")
    fast, plain = (
        submission.grade(SAMPLE_CLASS / student / "diff.cu", diff, cuda)
        for student in ("amber", "hazel")
    )
    assert plain.criteria[-1].status == "fail", plain
    assert fast.criteria[-1].status == "pass", fast


@needs_gpu
@pytest.mark.alone
def test_speed_needs_correctness(cuda: Session) -> None:
    path = SAMPLE_CLASS / "ginger" / "diff.cu"
    result = submission.grade(path, lab.load("diff"), cuda)
    assert result.criteria[-1].messages == ["Counts only after every test of correctness passes."]


@of_batches
def test_a_test_waits_for_an_endless_loop_once(
    emulator: Session, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verdicts: list[Judgment] = []
    run = judge.run

    def noted(*arguments: Any, **named: Any) -> Judgment:
        verdicts.append(run(*arguments, **named))
        return verdicts[-1]

    monkeypatch.setattr(judge, "run", noted)
    path = tmp_path / "diff.cu"
    path.write_text(host("for (volatile int i = 0;; ++i) {}"))
    submission.grade(path, replace(lab.load("diff"), seconds=1), emulator)
    cases = [case for verdict in verdicts for case in verdict.cases]
    later = [text for case in cases for text in case.texts[1:]]
    assert later and all(text.startswith("Skipped: an earlier call") for text in later)
    assert all("did not finish within" in case.texts[0] for case in cases)


@of_batches
@pytest.mark.skipif(shutil.which("ps") is None, reason="ps is not installed")
def test_nothing_is_left_running(emulator: Session, tmp_path: Path, temporary: Path) -> None:
    folder = tmp_path / "class"
    folder.mkdir()
    hand_in(folder, "loops", host("for (volatile int i = 0;; ++i) {}"))
    status, messages = correctness(grade(folder, emulator, seconds=1)["loops"])
    assert status == "fail" and "did not finish within" in messages
    assert not [line for line in programs() if str(temporary) in line]

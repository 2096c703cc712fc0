"""Commands as a user runs them: exit statuses, one clear line per mistake, no traceback."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from support import REPO, SAMPLE_CLASS, programs, wait_until
from tilelab.backends import nvidia
from tilelab.labs.lab import all_labs
from tilelab.pipeline.harness import sharing
from tilelab.pipeline.harness.session import Session
from typed import command, environment, run

SOLUTION = REPO / "solutions" / "diff" / "diff.cu"
LOOP = '#include "diff.h"\nvoid diff(const int*, int*, int) { for (volatile int i = 0;; ++i) {} }\n'


# The tests must not touch the progress of the person who runs them.
@pytest.fixture(autouse=True)
def progress(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path_factory.mktemp("progress")
    monkeypatch.setenv("TILELAB_PROGRESS", str(folder))
    return folder


def tilelab(*arguments: str | Path, cwd: Path = REPO) -> subprocess.CompletedProcess[str]:
    return run(*arguments, cwd=cwd, env=environment())


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["check", "nope"], ["no lab 'nope'", "diff"]),
        (["check", "diff", "nowhere.cu"], ["nowhere.cu", "no such file"]),
        (["check", "diff", "--backend", "quantum"], ["no backend 'quantum'", "emulator"]),
        (["check", "diff", "--seed", "-1"], ["--seed"]),
        (["grade", "/nowhere"], ["/nowhere", "No such file"]),
        (["grade", "--labs", "diff,nope"], ["no lab 'nope'"]),
        (["grade", "--jobs", "0"], ["--jobs"]),
        (["grade", "--out", "/dev/null"], ["/dev/null"]),
        (["hint", "nope"], ["no lab 'nope'", "diff"]),
        (["quiz", "nope"], ["no lab 'nope'", "diff"]),
        (["verify", "nope"], ["no lab 'nope'", "diff"]),
        (["new-lab", "Nope"], ["'Nope' cannot be a lab's name"]),
        (["new-lab", "diff"], ["labs/diff already exists"]),
        (["test", "--all", "--changed", "HEAD"], ["--all, --changed and --gpu exclude each other"]),
        (["test", "--changed", "nowhere"], ["--changed nowhere", "git has no such commit"]),
        (["test", "--list", "--all"], ["--list needs no --all"]),
        (["frobnicate"], ["frobnicate"]),
    ],
)
def test_a_user_s_mistake_is_exit_status_2(arguments: list[str], words: list[str]) -> None:
    result = tilelab(*arguments)
    assert result.returncode == 2
    for word in words:
        assert word in result.stderr


@pytest.mark.skipif(nvidia.gpu() is not None, reason="this machine has a GPU")
def test_calibrate_says_what_is_missing(tmp_path: Path) -> None:
    result = tilelab("calibrate", "--to", tmp_path / "figures.toml")
    assert result.returncode == 2
    assert "needs an NVIDIA GPU" in result.stderr or "needs nvcc" in result.stderr
    assert result.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_class_without_labs_says_what_it_looked_for(tmp_path: Path) -> None:
    (tmp_path / "amber").mkdir()
    result = tilelab("grade", tmp_path)
    assert result.returncode == 2
    assert "DIR/<student>/<lab>.cu" in result.stderr


@pytest.mark.parametrize("out", ["class", "class/amber", "class/amber/results", "class/new/.."])
def test_results_do_not_go_into_the_class(out: str, tmp_path: Path) -> None:
    for name in ("class/amber", "class/new"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "class" / "amber" / "diff.cu").write_text("int a;")
    before = sorted(tmp_path.rglob("*"))
    result = tilelab("grade", "class", "--out", out, cwd=tmp_path)
    assert result.returncode == 2 and result.stderr.count("\n") == 1
    assert f"--out {out}" in result.stderr and "name " in result.stderr
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.skipif(nvidia.gpu() is not None, reason="this machine has a GPU")
def test_cuda_without_a_gpu_is_a_user_s_mistake() -> None:
    result = tilelab("check", "diff", "--backend", "cuda")
    assert result.returncode == 2
    assert "the backend cuda needs" in result.stderr


def test_check_shows_a_right_solution(emulator: Session, tmp_path: Path) -> None:
    (tmp_path / "mine.cu").write_text(SOLUTION.read_text())
    result = tilelab("check", "diff", "mine.cu", "--backend", "emulator", cwd=tmp_path)
    assert result.returncode == 0, result.stdout
    assert "mine.cu" in result.stdout
    assert "70 / 70 (+30 not run)" in result.stdout
    assert "NOT RUN: needs an NVIDIA GPU" in result.stdout
    assert "--seed " in result.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.cu"]
    assert "Next:" not in result.stdout
    assert "mine.cu passes everything that was tested (speed did not run here)" in (
        tilelab("hint", "diff").stdout
    )


def test_check_shows_what_is_wrong_and_what_was_printed(emulator: Session) -> None:
    path = SAMPLE_CLASS / "dill" / "diff.cu"
    result = tilelab("check", "diff", path, "--backend", "emulator", "--seed", "42")
    assert result.returncode == 1
    assert "crashed (segmentation fault)" in result.stdout
    assert "Your program printed in diff(int[" in result.stdout
    assert "\ndiff of " in result.stdout
    assert "--seed 42" in result.stdout


def test_check_takes_a_file_alone(emulator: Session, tmp_path: Path) -> None:
    (tmp_path / "diff.cu").write_text("no C++\n")
    (tmp_path / "mine.cu").write_text("no C++\n")
    result = tilelab("check", "diff.cu", "--backend", "emulator", cwd=tmp_path)
    assert "Adjacent difference   does not compile   diff.cu" in result.stdout
    result = tilelab("check", tmp_path / "mine.cu", "--backend", "emulator")
    assert result.returncode == 2
    assert "mine.cu does not say which lab it is for" in result.stderr


def test_check_takes_the_lab_s_file_by_default(emulator: Session) -> None:
    result = tilelab("check", "diff", "--backend", "emulator")
    assert "labs/diff/diff.cu" in result.stdout


def test_a_failing_check_is_where_the_hints_begin(
    emulator: Session, tmp_path: Path, progress: Path
) -> None:
    skeleton = (REPO / "labs" / "diff" / "diff.cu").read_text()
    (tmp_path / "mine.cu").write_text(skeleton.replace("// TODO 1", "// done:"))
    result = tilelab("check", "diff", "mine.cu", "--backend", "emulator", cwd=tmp_path)
    last = result.stdout.splitlines()[-1]
    assert last == "Next: TODO 2, Load one element per thread. Stuck? ./tilelab hint diff"
    assert "TODO 2, Load one element per thread: hint 1 of 3" in tilelab("hint", "diff").stdout
    assert "hint 2 of 3" in tilelab("hint", "diff").stdout

    (progress / "diff.json").write_text("{")
    assert "TODO 1, Launch the kernel: hint 1 of 3" in tilelab("hint", "diff").stdout

    (tmp_path / "mine.cu").write_text("no C++\n")
    result = tilelab("check", "diff", "mine.cu", "--backend", "emulator", cwd=tmp_path)
    assert result.stdout.splitlines()[-1].startswith("Next: fix the first message above")
    assert "mine.cu could not be tested" in tilelab("hint", "diff").stdout


def test_grade_writes_its_files_and_gives_the_score_that_check_gives(
    emulator: Session, tmp_path: Path
) -> None:
    for student in ("amber", "fennel"):
        (tmp_path / "class" / student).mkdir(parents=True)
        text = (SAMPLE_CLASS / student / "diff.cu").read_text()
        (tmp_path / "class" / student / "diff.cu").write_text(text)
    graded = tilelab("grade", "class", "--out", "out", "--backend", "emulator", cwd=tmp_path)
    assert graded.returncode == 0, graded.stderr
    assert "[2/2]" in graded.stdout
    assert "Wrote out/results.json" in graded.stdout
    record = json.loads((tmp_path / "out" / "results.json").read_text())
    (machine,) = record["machines"]
    assert machine["backend"] == "emulator"
    assert machine["sandbox"].startswith(("bubblewrap ", "unsandboxed"))
    rows = list(csv.reader((tmp_path / "out" / "gradebook.csv").open(newline="")))
    assert rows[0] == ["student", "diff", "total", "diff max", "total max"]
    assert [row[0] for row in rows[1:]] == ["amber", "fennel"]

    seed = str(record["seed"])
    for entry in record["submissions"]:
        path = f"class/{entry['student']}/diff.cu"
        checked = tilelab(
            "check", "diff", path, "--seed", seed, "--backend", "emulator", cwd=tmp_path
        )
        assert f"{entry['score']:g} / 70" in checked.stdout
        for criterion in entry["criteria"][:3]:
            shown = f"{criterion['name']} {criterion['points']:g} / {criterion['max']:g}"
            assert shown in checked.stdout


def test_grade_takes_a_seed_and_a_machine_error_is_exit_status_3(
    emulator: Session, tmp_path: Path
) -> None:
    (tmp_path / "class" / "amber").mkdir(parents=True)
    (tmp_path / "class" / "amber" / "diff.cu").write_text(SOLUTION.read_text())
    # Work folders cannot be made below a file, as they cannot on a full disk.
    broken = environment(TILELAB_KEEP=str(SOLUTION))
    arguments = ("grade", "class", "--seed", "7", "--backend", "emulator")
    graded = subprocess.run(command(*arguments), cwd=tmp_path, env=broken, capture_output=True)
    assert graded.returncode == 3, graded.stderr
    record = json.loads((tmp_path / "results" / "results.json").read_text())
    assert record["seed"] == 7
    assert [entry["verdict"] for entry in record["submissions"]] == ["infra_error"]
    arguments = ("check", "diff", SOLUTION, "--backend", "emulator")
    checked = subprocess.run(command(*arguments), cwd=tmp_path, env=broken, capture_output=True)
    assert checked.returncode == 3, checked.stderr


@pytest.mark.drawn(pool="interrupted batches", count=1)
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_an_interrupted_batch_writes_what_is_there(
    emulator: Session, tmp_path: Path, number: signal.Signals
) -> None:
    for student, text in (("amber", SOLUTION.read_text()), ("basil", LOOP), ("clover", LOOP)):
        (tmp_path / "class" / student).mkdir(parents=True)
        (tmp_path / "class" / student / "diff.cu").write_text(text)
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    batch = subprocess.Popen(
        command("grade", "class", "--jobs", "1", "--backend", "emulator"),
        cwd=tmp_path,
        env=environment(TMPDIR=str(temporary)),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # A shell makes background programs ignore Ctrl-C, nohup the end of the terminal, and these
        # tests may be such a program.
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    assert batch.stdout is not None
    for line in batch.stdout:
        if "[1/2]" in line:  # two are identical
            break
    worker = re.compile(rf"{re.escape(str(temporary))}/\S+/worker$")
    wait_until(lambda: any(map(worker.match, programs())), "second submission that runs")
    batch.send_signal(number)
    start = time.monotonic()
    rest, errors = batch.communicate()
    assert time.monotonic() - start < 10
    assert "Traceback" not in errors
    assert "Interrupted: 2 of " in rest and " submissions were not graded." in rest
    assert batch.returncode == 130
    record = json.loads((tmp_path / "results" / "results.json").read_text())
    assert [entry["student"] for entry in record["submissions"]] == ["amber"]
    assert list(temporary.iterdir()) == []


def test_doctor_builds_everything_for_other_users(emulator: Session) -> None:
    result = tilelab("doctor", "--build")
    assert result.returncode == 0, result.stderr
    folder = emulator.toolchains[0].folder
    names = [*(f"harness_{name}" for name in all_labs()), "program"]
    # The note is gone while another test builds.
    wait_until(lambda: sharing.is_up_to_date(folder, names), "note")


def test_doctor_names_what_is_missing() -> None:
    result = tilelab("doctor")
    assert result.returncode == 0
    for word in ("g++", "CMake", "Catch2", "nvcc", "NVIDIA GPU", "Sandbox"):
        assert word in result.stdout
    if nvidia.gpu() is None:
        assert "speed is not graded (NOT RUN)" in result.stdout


def test_the_launcher_works_from_anywhere_and_through_a_link(tmp_path: Path) -> None:
    # A module in the user's folder must not shadow one of ours.
    (tmp_path / "typer.py").write_text("raise SystemExit(9)\n")
    (tmp_path / "link").symlink_to(REPO / "tilelab")
    result = subprocess.run(
        ["./link", "check", "diff", "nowhere.cu"], cwd=tmp_path, capture_output=True, text=True
    )
    assert result.returncode == 2
    assert "nowhere.cu: there is no such file" in result.stderr

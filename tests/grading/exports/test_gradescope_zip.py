"""The autograder for Gradescope, unpacked and run as Gradescope does."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import tomllib
import zipfile
from pathlib import Path

import pytest

from support import REPO, wait_until
from tilelab.exports import gradescope_zip
from tilelab.labs import lab
from tilelab.labs.course import lab_of
from tilelab.model.course import Assignment, Course

# Takes the place of the command line: says what it was asked, and exports what it is told.
STUB = """#!/bin/bash
here=$(dirname "$0")
case $1 in
  grade) find "$2" -name '*.cu' -exec cat {} + >"$here/graded" ;;
  export) [ ! -e "$here/broken" ] && echo '{"score": 1}' >"${@: -1}" ;;
esac
"""


@pytest.fixture(scope="module")
def packed() -> bytes:
    return gradescope_zip.content(lab.load("diff"))


@pytest.fixture
def autograder(tmp_path: Path, packed: bytes) -> Path:
    """The folders of Gradescope's container, with the stub for the launcher."""
    for name in ("source", "submission", "results"):
        (tmp_path / name).mkdir()
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        for name in ("run_autograder", "setup.sh", "unfinished.json"):
            archive.extract(name, tmp_path / "source")
    (tmp_path / "source" / "run_autograder").rename(tmp_path / "run_autograder")
    (tmp_path / "run_autograder").chmod(0o755)
    (tmp_path / "source" / "tilelab").write_text(STUB)
    (tmp_path / "source" / "tilelab").chmod(0o755)
    return tmp_path


def run(autograder: Path) -> int:
    return subprocess.run([autograder / "run_autograder"], cwd="/", check=False).returncode


def test_the_scripts_are_at_the_root_and_executable(packed: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        modes = {entry.filename: entry.external_attr >> 16 for entry in archive.infolist()}
        for name in ("setup.sh", "run_autograder", "tilelab"):
            assert modes[name] == 0o100755
        for name in ("setup.sh", "run_autograder"):
            script = archive.read(name)
            assert b"\r" not in script and b"LAB_NAME" not in script
            subprocess.run(["bash", "-n"], input=script, check=True)


def test_what_grading_needs_is_inside_and_nothing_of_this_machine(packed: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        names = archive.namelist()
    for name in (
        "CMakeLists.txt",
        "pyproject.toml",
        "requirements.lock",
        "grading/tilelab/app.py",
        "labs/diff/.skeleton.cu",
        "solutions/diff/diff.cu",
        "tests/labs/diff/judge.cpp",
    ):
        assert name in names
    assert len(names) == len(set(names))
    assert not [name for name in names if "__pycache__" in name or name.startswith(("build", "."))]
    assert not [name for name in names if name.startswith(("/", "grading/sample_class"))]


def test_the_same_files_make_the_same_zip(packed: bytes) -> None:
    assert gradescope_zip.content(lab.load("diff")) == packed


def test_the_points_of_the_course_are_inside() -> None:
    course = Course(assignments={"diff": Assignment({"speed": 0}, total=20)})
    with zipfile.ZipFile(io.BytesIO(gradescope_zip.content(lab_of(course, "diff")))) as archive:
        settings = tomllib.loads(archive.read("labs/diff/lab.toml").decode())
        other = archive.read("labs/nbody/lab.toml")
        unfinished = json.loads(archive.read("unfinished.json"))
    worth = {name: one["points"] for name, one in settings["criteria"].items()}
    assert set(worth) == {"correctness", "safety", "memory"} and sum(worth.values()) == 20
    assert unfinished["tests"][0]["max_score"] == 20
    assert other == (REPO / "labs/nbody/lab.toml").read_bytes()


@pytest.mark.parametrize("name", ["diff.cu", "Diff.CU", "nested/diff.cu", "my solution.cu"])
def test_the_students_file_is_graded(autograder: Path, name: str) -> None:
    file = autograder / "submission" / name
    file.parent.mkdir(exist_ok=True)
    file.write_text("mine")
    (autograder / "submission" / "notes.txt").write_text("not mine")
    assert run(autograder) == 0
    assert (autograder / "source" / "graded").read_text() == "mine"
    assert json.loads((autograder / "results" / "results.json").read_text()) == {"score": 1}


def test_nothing_is_guessed_among_several_files(autograder: Path) -> None:
    for name in ("a.cu", "b.cu"):
        (autograder / "submission" / name).write_text(name)
    (autograder / "submission" / "diff.cu").symlink_to("/etc/passwd")
    assert run(autograder) == 0
    assert (autograder / "source" / "graded").read_text() == ""


def test_a_machine_error_leaves_no_zero(autograder: Path) -> None:
    (autograder / "source" / "broken").touch()
    assert run(autograder) == 1
    assert not (autograder / "results" / "results.json").exists()


def test_a_container_that_is_stopped_has_a_result(autograder: Path) -> None:
    stub = '#!/bin/bash\ntouch "$(dirname "$0")/started"\nsleep 60\n'
    (autograder / "source" / "tilelab").write_text(stub)
    with subprocess.Popen([autograder / "run_autograder"], start_new_session=True) as running:
        try:
            wait_until((autograder / "source" / "started").exists, "grading")
        finally:
            os.killpg(running.pid, signal.SIGKILL)
    data = json.loads((autograder / "results" / "results.json").read_text())
    assert "did not finish" in data["output"]

"""The wheel: in a students' repository it needs no build, and judges as the instructor's does."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from support import REPO
from tilelab.base import locked, requirements
from tilelab.wheel import building

LABS = ("diff", "first_kernel")
FILES = [
    "solutions/diff/diff.cu",
    "solutions/diff/mistakes/missing_barrier.cu",
    "solutions/diff/mistakes/grid_hard_coded.cu",
    "solutions/first_kernel/mistakes/neighbors_far_apart.cu",
]
pytestmark = [pytest.mark.long, pytest.mark.thorough]


@pytest.fixture(scope="module")
def wheel() -> Path:
    if shutil.which("pip") is None and not _has_pip():
        pytest.skip("needs pip")
    return building.build(LABS)


def _has_pip() -> bool:
    return subprocess.run([sys.executable, "-m", "pip", "--version"], check=False).returncode == 0


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel holds, for an interpreter that has the other packages."""
    folder = tmp_path_factory.mktemp("installed")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index"]
    subprocess.run([*pip, "--target", folder, wheel], check=True)
    return folder


def run(
    package: Path, where: Path, arguments: Sequence[str], path: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(package), "COLUMNS": "80"}
    environment |= {"XDG_CACHE_HOME": str(package.parent / "cache")}
    environment.pop("TILELAB_STATE", None)
    if path:
        environment["PATH"] = path
    return subprocess.run(
        [sys.executable, "-P", *arguments],
        cwd=where,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def without_cmake(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A PATH with a CMake that cannot do anything."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "cmake").write_text("#!/bin/sh\nexit 1\n")
    (folder / "cmake").chmod(0o755)
    return f"{folder}:{os.environ['PATH']}"


# What a check finds, as JSON.
GRADE = """
import json, sys
from pathlib import Path
from tilelab.labs import lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness import session
name, file = sys.argv[1:]
made = session.Session(session.prepare("emulator", [name], without_seccomp=True), seed=7)
print(json.dumps(submission.grade(Path(file), lab.load(name), made).to_json(), indent=1))
"""


@pytest.mark.parametrize("name", FILES)
def test_a_student_gets_what_the_instructor_gets(
    name: str, installed: Path, published: Path, without_cmake: str
) -> None:
    words = ["-c", GRADE, Path(name).parts[1], str(REPO / name)]
    there = run(installed, published, words, without_cmake)
    here = run(REPO / "grading", REPO, words)
    assert json.loads(here.stdout)["verdict"] == "graded", here.stderr
    assert there.stdout == here.stdout, there.stderr


def test_nothing_was_built(published: Path) -> None:
    assert not (published / "build" / "emulator" / "CMakeCache.txt").exists()


def test_a_program_runs_anywhere(installed: Path, tmp_path: Path, without_cmake: str) -> None:
    (tmp_path / "p.cu").write_text(
        '#include <cstdio>\n__global__ void f() { if (threadIdx.x == 3) printf("three\\n"); }\n'
        "int main() { f<<<1, 8>>>(); return cudaDeviceSynchronize(); }\n"
    )
    found = run(installed, tmp_path, ["-m", "tilelab", "run", "--checked", "p.cu"], without_cmake)
    assert (found.returncode, found.stdout) == (0, "three\n"), found.stderr


@pytest.mark.parametrize("arguments", [[], ["check", "diff"], ["hint", "diff"], ["quiz", "diff"]])
def test_outside_of_a_course_one_line_says_so(
    arguments: list[str], installed: Path, tmp_path: Path
) -> None:
    found = run(installed, tmp_path, ["-m", "tilelab", *arguments])
    assert found.returncode == 2
    assert found.stderr.startswith("tilelab: there is no course in this folder")
    assert found.stderr.count("\n") == 1


def test_another_harness_is_not_used(
    installed: Path, published: Path, tmp_path: Path, without_cmake: str
) -> None:
    changed = tmp_path / "changed"
    shutil.copytree(published, changed, ignore=shutil.ignore_patterns("build"))
    with (changed / "common" / "judge" / "lab.h").open("a") as file:
        file.write("// another version\n")
    found = run(installed, changed, ["-m", "tilelab", "check", "diff"], without_cmake)
    assert found.returncode == 3
    said = " ".join((found.stdout + found.stderr).split())
    assert "was built from another common/judge/lab.h" in said
    assert "configuring the harness failed" in said


def test_it_is_small_and_runs_on_the_oldest_system(wheel: Path) -> None:
    assert wheel.stat().st_size <= 40 * 1024 * 1024
    libc = re.search(r"-manylinux_2_(\d+)_", wheel.name)
    assert libc is not None


def test_it_holds_no_solution_and_no_path_of_the_machine_that_built_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as content:
        names = content.namelist()
        described = [content.read(name) for name in names if name.endswith(".json")]
    assert not [name for name in names if "solutions/diff" in name or name.endswith("matmul")]
    assert described and all(str(REPO).encode() not in one for one in described)


def test_what_it_needs_is_locked() -> None:
    assert locked.requirements("wheel") == requirements.declared("wheel")

"""Whether an installed harness was built from the sources of a repository."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from tilelab.pipeline.harness import sources

FILES = {
    "CMakeLists.txt": "project(TileLab)\n",
    "common/judge/lab.h": "int lab();\n",
    "labs/diff/diff.h": "void diff();\n",
    "labs/matmul/matmul.h": "void matmul();\n",
    "tests/CMakeLists.txt": "",
    "tests/labs/CMakeLists.txt": "",
    "tests/labs/diff/judge.cpp": "TEST_CASE()\n",
    "tests/labs/matmul/judge.cpp": "TEST_CASE()\n",
}


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def listed() -> str:
    sums = {name: hashlib.sha256(text.encode()).hexdigest() for name, text in FILES.items()}
    return "".join(f"{sha256}  {name}\n" for name, sha256 in sums.items())


def test_the_same_sources_fit(repo: Path) -> None:
    assert sources.differing(repo, listed(), ["diff", "matmul"]) is None


@pytest.mark.parametrize(
    "name",
    ["common/judge/lab.h", "tests/labs/diff/judge.cpp", "labs/diff/diff.h", "CMakeLists.txt"],
)
def test_another_version_does_not(repo: Path, name: str) -> None:
    (repo / name).write_text("something else\n")
    assert sources.differing(repo, listed(), ["diff"]) == name


@pytest.mark.parametrize("name", ["common/judge/lab.h", "labs/diff/diff.h"])
def test_one_that_is_gone_does_not(repo: Path, name: str) -> None:
    (repo / name).unlink()
    assert sources.differing(repo, listed(), ["diff"]) == name


@pytest.mark.parametrize("name", ["common/judge/more.cpp", "tests/labs/diff/more.h"])
def test_one_that_is_new_does_not(repo: Path, name: str) -> None:
    (repo / name).touch()
    assert sources.differing(repo, listed(), ["diff"]) == name


def test_a_lab_of_the_instructor_is_not_in_the_wheel(repo: Path) -> None:
    (repo / "labs" / "own").mkdir()
    (repo / "labs" / "own" / "own.h").touch()
    assert sources.differing(repo, listed(), ["own"]) == "labs/own/own.h"


@pytest.mark.parametrize(
    "name",
    [
        "labs/matmul/matmul.h",
        "tests/labs/matmul/judge.cpp",
        "labs/diff/diff.cu",
        "labs/diff/lab.toml",
    ],
)
def test_other_labs_and_what_is_not_compiled_do_not_matter(repo: Path, name: str) -> None:
    (repo / name).write_text("something else\n")
    assert sources.differing(repo, listed(), ["diff"]) is None


def test_a_repository_without_the_other_labs_fits(repo: Path) -> None:
    for name in ("labs/matmul/matmul.h", "tests/labs/matmul/judge.cpp"):
        (repo / name).unlink()
    assert sources.differing(repo, listed(), ["diff"]) is None


def test_a_page_is_no_source(repo: Path) -> None:
    (repo / "common" / "README.md").touch()
    assert sources.differing(repo, listed(), ["diff"]) is None

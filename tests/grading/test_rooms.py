"""The rooms of the repository: which may import which, and how many files each may have."""

from __future__ import annotations

import functools
import shutil
import subprocess
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest

import graph
import imports
import rooms
from support import REPO

MOST_FILES = 20

# Folders of many small files of one kind.
EXEMPT = (
    "solutions/*/ladder",
    "solutions/*/mistakes",
    "tests/*/calibration",  # kernels whose counts were measured on a GPU
    "tests/*/detector",  # cases of the race detector
    "tests/*/refused",  # programs that must not compile
    "tests/*/programs",  # workers that misbehave
    "common/emulator/include*",  # headers under CUDA's own names
    "tests/measure/causes/mistakes/*",
    "docs/figures/show",  # a picture for each lab, in light and in dark colors
    "docs/results",  # a page for each study, and its rows
    "docs/results/nvidia_*",  # two plots for each lab
)


@functools.cache
def edges() -> list[tuple[Path, Path]]:
    return sorted((REPO / importer, REPO / imported) for importer, imported in imports.edges())


def test_imports_go_down() -> None:
    upward = [
        f"{importer.relative_to(REPO)} imports {imported.relative_to(REPO)}"
        for importer, imported in edges()
        if not rooms.may_import(rooms.room(importer), rooms.room(imported))
    ]
    assert upward == []


def test_every_room_has_a_floor() -> None:
    found = {rooms.room(path) for edge in edges() for path in edge} - {""}
    assert found == set().union(*rooms.FLOORS)


def edges_of_pipeline() -> list[tuple[Path, Path]]:
    inside = [edge for edge in edges() if all(one.is_relative_to(rooms.PIPELINE) for one in edge)]
    assert inside
    return inside


def test_no_stage_of_the_pipeline_imports_another() -> None:
    upward = [
        f"{importer.relative_to(REPO)} imports {imported.relative_to(REPO)}"
        for importer, imported in edges_of_pipeline()
        if not rooms.may_import(
            rooms.stage(importer), rooms.stage(imported), rooms.FLOORS_OF_PIPELINE
        )
    ]
    assert upward == []


def test_every_room_of_the_pipeline_has_a_floor() -> None:
    packages = [one.parent for one in rooms.PIPELINE.glob("*/__init__.py")]
    found = {rooms.stage(path) for path in (*packages, *rooms.PIPELINE.glob("*.py"))}
    assert found - {"__init__"} == set().union(*rooms.FLOORS_OF_PIPELINE)


@pytest.mark.parametrize(
    ("importer", "imported"),
    [("score", "pipeline"), ("backends", "score"), ("model", "labs"), ("site", "bench")],
)
def test_what_goes_up_or_sideways_is_forbidden(importer: str, imported: str) -> None:
    assert not rooms.may_import(importer, imported)


def test_an_import_within_a_function_counts(tmp_path: Path) -> None:
    package = tmp_path / "grading" / "tilelab"
    for name, text in {
        "score/scale": "def load():\n    from tilelab.pipeline import judge\n",
        "pipeline/judge": "import tilelab.score.scale\n",
    }.items():
        path = package / f"{name}.py"
        path.parent.mkdir(parents=True)
        path.write_text(text)
    found = list(graph.problems(imports.edges(tmp_path)))
    assert found[0] == ("cycle: grading/tilelab/pipeline/judge, grading/tilelab/score/scale")


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_no_folder_is_too_full() -> None:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=REPO, capture_output=True, text=True, check=False
    )
    if listed.returncode != 0:
        pytest.skip("this is no git repository")
    folders = Counter(str(PurePosixPath(line).parent) for line in listed.stdout.splitlines())
    too_full = {
        folder: count
        for folder, count in folders.items()
        if count > MOST_FILES and not any(fnmatch(folder, pattern) for pattern in EXEMPT)
    }
    assert too_full == {}

"""The rooms of the repository: which may import which, and how many files one may hold."""

from __future__ import annotations

import subprocess
from collections import Counter
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

import pytest
import rooms
from support import REPO

EDGES = rooms.import_edges()

MOST_FILES = 20

# Folders of many small files of one kind.
EXEMPT = (
    "solutions/*/ladder",
    "solutions/*/mistakes",
    "tests/*/calibration",  # kernels whose counts were measured on a GPU
    "tests/*/detector",  # cases of the race detector
    "tests/*/refused",  # programs that must not compile
    "tests/*/programs",  # workers that misbehave
    "common/emulator/include",  # headers under CUDA's own names
)


@pytest.mark.parametrize("module", EDGES)
def test_imports_go_down(module: str) -> None:
    room = rooms.room(module)
    upward = [one for one in EDGES[module] if not rooms.may_import(room, rooms.room(one))]
    assert upward == []


def test_every_room_has_a_floor() -> None:
    found = {rooms.room(module) for module in EDGES} - {""}
    assert found == set().union(*rooms.FLOORS)


def test_a_forbidden_import_is_seen(tmp_path: Path) -> None:
    package = tmp_path / "tilelab"
    for name, text in {
        "__init__": "",
        "score/__init__": "",
        "score/lab": "def load():\n    from tilelab.pipeline import judge\n",
        "pipeline/__init__": "",
        "pipeline/judge": "import tilelab.score.lab\n",
    }.items():
        path = package / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    edges = rooms.import_edges(package)
    assert edges["tilelab.score.lab"] == {"tilelab.pipeline.judge"}
    assert not rooms.may_import("score", "pipeline")


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

"""The notebook works from its first cell to its last, on a machine without a GPU."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from support import REPO
from tilelab.labs import lab

NOTEBOOK = REPO / "docs" / "notebook.ipynb"
SKELETON = "%%writefile labs/diff/diff.cu\n"


def cells() -> list[str]:
    notebook = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]


class Notebook:
    """Runs cells as Jupyter would, as far as this notebook needs: Python, !, %cd, %%bash."""

    def __init__(self, folder: Path, environment: dict[str, str]) -> None:
        self._folder = folder
        self._environment = environment
        self._names: dict[str, str] = {}

    def run(self, cell: str) -> str:
        """Returns what the cell prints."""
        if cell.startswith("%%bash\n"):
            return self._shell(cell.partition("\n")[2])
        if cell.startswith("%%writefile "):
            head, _, text = cell.partition("\n")
            (self._folder / head.split()[1]).write_text(text + "\n", encoding="utf-8")
            return ""
        return "".join(self._line(line) for line in cell.splitlines())

    def _line(self, line: str) -> str:
        if line.startswith("!"):
            return self._shell(re.sub(r"\{(\w+)\}", lambda name: self._names[name[1]], line[1:]))
        if line.startswith("%cd "):
            self._folder = (self._folder / line.removeprefix("%cd ")).resolve(strict=True)
            return ""
        exec(line, self._names)
        return ""

    def _shell(self, commands: str) -> str:
        finished = subprocess.run(
            ["bash", "-c", commands],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return finished.stdout


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Notebook]:
    """A notebook after its first two cells: TileLab is there and set up."""
    folder = tmp_path_factory.mktemp("notebook")
    programs = folder / "bin"
    programs.mkdir()
    # An interpreter that has what the launcher would install.
    python = programs / "python3"
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    environment = {
        **os.environ,
        "PATH": path,
        "TILELAB_NVCC": "none",
        "CUDA_VISIBLE_DEVICES": "",
        # Everything is compiled here, as on a machine that never saw TileLab.
        "CCACHE_DISABLE": "1",
    }
    notebook = Notebook(folder, environment)
    clone, set_up, *_ = cells()
    # The working tree, not the last commit.
    address = f'REPOSITORY = "{working_tree(folder)}"'
    notebook.run(re.sub(r'REPOSITORY = ".*?"', lambda _: address, clone))
    assert "Catch2" in notebook.run(set_up)
    yield notebook
    shutil.rmtree(folder, ignore_errors=True)


def working_tree(folder: Path) -> Path:
    """A repository with the files of this one as they are now."""
    tree = folder / "origin"
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=REPO,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in filter(None, listed.stdout.split("\0")):
        if (REPO / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(REPO / name, tree / name)
    identity = ("-c", "user.name=test", "-c", "user.email=test@localhost")
    for command in (["init", "-q"], ["add", "-A"], [*identity, "commit", "-q", "-m", "all"]):
        subprocess.run(["git", *command], cwd=tree, check=True)
    return tree


def test_the_cell_to_edit_holds_the_skeleton() -> None:
    (cell,) = [cell for cell in cells() if cell.startswith(SKELETON)]
    assert cell.removeprefix(SKELETON) + "\n" == lab.load("diff").skeleton.read_text()


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_the_cells_run_from_top_to_bottom(started: Notebook) -> None:
    skeleton, check, hint, profile = cells()[2:]
    started.run(skeleton)
    assert "TODO 1" in started.run(check)
    assert "threads" in started.run(hint)
    started.run(SKELETON + lab.load("diff").reference.read_text().rstrip("\n"))
    assert re.search(r"\b70 ?(/|of) ?(70|100)\b", started.run(check))
    assert "loads" in started.run(profile)

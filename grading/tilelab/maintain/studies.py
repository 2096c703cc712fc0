"""The studies: programs in tests/measure that measure what docs/results says."""

from __future__ import annotations

import ast
import difflib
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.repository import REPO
from tilelab.base.text import one_line

_FOLDER = REPO / "tests" / "measure"
_MAIN = 'if __name__ == "__main__":'


def studies(folder: Path = _FOLDER) -> dict[str, Path]:
    """The scripts by name: latency/latency.py is `latency`, first_hour/verdicts.py is itself."""
    scripts = (one for one in folder.glob("*/*.py") if _MAIN in one.read_text(encoding="utf-8"))
    return dict(sorted((_name(script), script) for script in scripts))


def _name(script: Path) -> str:
    folder = script.parent.name
    return folder if script.stem == folder else f"{folder}/{script.stem}"


def listing(folder: Path = _FOLDER) -> Iterator[str]:
    """A line for each study, with the first of its docstring."""
    found = studies(folder)
    width = max(map(len, found), default=0)
    for name, script in found.items():
        about = ast.get_docstring(ast.parse(script.read_text(encoding="utf-8"))) or ""
        yield f"{name:{width}}  {about.partition(chr(10))[0]}"


def run(name: str, arguments: Sequence[str], folder: Path = _FOLDER) -> int:
    """Runs a study in the repository. Returns its exit status."""
    found = studies(folder)
    if name not in found:
        near = difflib.get_close_matches(name, found, 1)
        hint = f"did you mean {near[0]}?" if near else "./tilelab measure lists all"
        raise UserError(f"there is no study '{one_line(name)}'; {hint}")
    # What several studies use, and our package.
    paths = os.pathsep.join(map(str, (_FOLDER / "shared", REPO / "grading")))
    environment = {**os.environ, "PYTHONPATH": paths}
    words = [sys.executable, "-P", "-m", "tilelab.maintain.one_study", str(found[name]), *arguments]
    return subprocess.run(words, cwd=REPO, env=environment, check=False).returncode

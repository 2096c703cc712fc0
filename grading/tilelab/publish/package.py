"""Picks the part of the Python package that a student's commands use."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

_ROOT = PurePosixPath("grading")
_PACKAGE = _ROOT / "tilelab"

# `docs` is for students, too, and the launcher runs two modules for set-up.
_ENTRIES = (
    "__main__.py",
    "commands/student/*.py",
    "commands/maintainer/docs.py",
    "setup/nvcc.py",
    "setup/packages.py",
)
# Its problems stay behind, because they hold the lines of solutions.
_BEHIND = "commands/student/parsons.py"


def part_for_students(repo: Path, files: Iterable[PurePosixPath]) -> set[PurePosixPath]:
    """The modules that a student's commands import, and the other files of their folders."""
    own = [path for path in files if path.is_relative_to(_PACKAGE)]
    modules = {path for path in own if path.suffix == ".py"}
    found: set[PurePosixPath] = set()
    waiting = [path for path in modules if _is_entry(path)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found.add(path)
            waiting += modules.intersection(_imported(path, repo))
    rooms = {_room(path) for path in found}
    return found | {path for path in own if path.suffix != ".py" and _room(path) in rooms}


def _is_entry(path: PurePosixPath) -> bool:
    is_any = any(path.match(f"tilelab/{one}") for one in _ENTRIES)
    return is_any and not path.match(f"tilelab/{_BEHIND}")


def _room(path: PurePosixPath) -> str:
    return path.relative_to(_PACKAGE).parts[0]


def _imported(path: PurePosixPath, repo: Path) -> Iterator[PurePosixPath]:
    """The files that a module may mean by its imports, and the packages that it lies in."""
    yield from (folder / "__init__.py" for folder in path.parents if folder.is_relative_to(_ROOT))
    for node in ast.walk(ast.parse((repo / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{one.name}" for one in node.names)]
        elif isinstance(node, ast.Import):
            names = [one.name for one in node.names]
        else:
            continue
        for name in names:
            place = _ROOT.joinpath(*name.split("."))
            yield place.with_suffix(".py")
            yield place / "__init__.py"

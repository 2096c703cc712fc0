"""Which module of the Python package imports which, and which rooms may import which."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2] / "grading" / "tilelab"

# From top to bottom: a room imports from itself and from lower floors, never from its own floor.
FLOORS: tuple[frozenset[str], ...] = tuple(
    frozenset(floor.split())
    for floor in (
        "commands",
        "screens",
        "verify",
        "bench exports maintain setup site tutor",
        "pipeline",
        "sandbox",
        "backends score",
        "base",
    )
)

# Stricter than the floors: `score` is pure.
ALONE_WITH_BASE = ("backends", "score")

Edges = Mapping[str, frozenset[str]]


def import_edges(package: Path = PACKAGE) -> Edges:
    """Every module of the package by its dotted name, with the modules that it imports."""
    paths = {_module(path, package): path for path in sorted(package.rglob("*.py"))}
    return {
        name: frozenset(_imported(path.read_text(encoding="utf-8"), frozenset(paths))) - {name}
        for name, path in paths.items()
    }


def room(module: str) -> str:
    """The room that a module lies in; "" for the package itself."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 and parts[1] != "__main__" else ""


def floor(of_room: str) -> int:
    """0 is the top. Raises StopIteration for a room that is on no floor."""
    return next(number for number, rooms in enumerate(FLOORS) if of_room in rooms)


def may_import(importer: str, imported: str) -> bool:
    """Whether a module of one room may import one of another."""
    if importer == imported or importer == "":
        return True
    if imported == "":
        return False
    if importer in ALONE_WITH_BASE:
        return imported == "base"
    return floor(imported) > floor(importer)


def _module(path: Path, package: Path) -> str:
    parts = [package.name, *path.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(text: str, known: frozenset[str]) -> Iterator[str]:
    """All imports of a file, also those within functions."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in known)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                name = f"{node.module}.{alias.name}"
                if name in known:
                    yield name
                elif node.module in known:
                    yield node.module

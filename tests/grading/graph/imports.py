"""Reads from the syntax tree which module of the tilelab package imports which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

REPO = Path(__file__).resolve().parents[3]
PACKAGE = Path("grading/tilelab")


def edges(repo: Path = REPO) -> Iterator[tuple[Path, Path]]:
    """All pairs (module, module that it imports), as paths in the repository.

    An import inside a function counts like any other.
    """
    root = repo / PACKAGE
    for path in sorted(root.rglob("*.py")):
        if "templates" in path.relative_to(root).parts:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"), path)
        targets = {target for node in ast.walk(tree) for target in _targets(node, repo)}
        source = path.relative_to(repo)
        yield from ((source, target) for target in sorted(targets) if target != source)


def _targets(node: ast.AST, repo: Path) -> Iterator[Path]:
    if isinstance(node, ast.Import):
        names = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module:
        # "from package import name" imports a module, where there is one of that name.
        parts = [f"{node.module}.{alias.name}" for alias in node.names]
        names = [part if _file(part, repo) else node.module for part in parts]
    else:
        return
    yield from (found for name in names if (found := _file(name, repo)))


def _file(name: str, repo: Path) -> Path | None:
    path = PACKAGE.parent.joinpath(*name.split("."))
    candidates = (path.with_suffix(".py"), path / "__init__.py")
    return next((one for one in candidates if (repo / one).is_file()), None)

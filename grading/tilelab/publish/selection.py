"""Chooses the files of this repository that students get."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from tilelab.base import links
from tilelab.publish import package

_TOP = (
    ".clang-format .clangd .gitignore CMakeLists.txt CMakePresets.json LICENSE pyproject.toml "
    "requirements.lock tilelab"
).split()
_FOLDERS = (".devcontainer", ".vscode", "common", "docs/site")
_BUILD = ("tests/CMakeLists.txt", "tests/labs/CMakeLists.txt")

# What students read besides the handouts. What these pages show and refer to comes along, if it
# lies in one of the folders. docs/first_hour.md solves two labs, and docs/screens shows the source
# of ladder steps.
_PAGES = ("student", "run", "glossary", "verdicts", "architecture", "api")
_SHOWN_FROM = ("docs/figures", "docs/results")
# The lines to put in order are those of a solution.
_NOT_OF_LAB = ("parsons.toml",)
# It is about one lab.
_OF_LAB = {"docs/notebook.ipynb": "diff"}


def for_students(
    repo: Path, files: Iterable[PurePosixPath], labs: Sequence[str], others: Sequence[str]
) -> set[PurePosixPath]:
    """The files to publish as they are, or nearly so. `others` are the labs to leave out."""
    there = set(files)
    chosen = {path for path in there if _is_chosen(path, labs)}
    chosen |= package.part_for_students(repo, there)
    return chosen | _shown(repo, there, chosen, others)


def _is_chosen(path: PurePosixPath, labs: Sequence[str]) -> bool:
    name = str(path)
    if name in _TOP or name in _BUILD or any(path.is_relative_to(one) for one in _FOLDERS):
        return True
    if path.parts[0] == "labs":
        return path.parts[1] in labs and path.name not in _NOT_OF_LAB
    if path.parts[:2] == ("tests", "labs"):
        # In deeper folders are tests of our own kernels.
        return len(path.parts) == 4 and path.parts[2] in labs
    return _OF_LAB.get(name) in labs or name in (f"docs/{page}.md" for page in _PAGES)


def _shown(
    repo: Path, there: set[PurePosixPath], pages: set[PurePosixPath], others: Sequence[str]
) -> set[PurePosixPath]:
    """What pages show and refer to, and what that refers to, without figures of other labs."""
    found: set[PurePosixPath] = set()
    waiting = [path for path in pages if path.suffix == ".md"]
    while waiting:
        page = waiting.pop()
        for path in links.targets((repo / page).read_text(encoding="utf-8"), page):
            if path in found or path not in there or not _may_be_shown(path, others):
                continue
            dark = path.with_name(f"{path.stem}-dark{path.suffix}")
            found |= {path, dark} & there
            waiting += [path] if path.suffix == ".md" else []
    return found


def _may_be_shown(path: PurePosixPath, others: Sequence[str]) -> bool:
    if not any(path.is_relative_to(folder) for folder in _SHOWN_FROM):
        return False
    words = f"_{path.stem}_".replace("-", "_")
    return path.suffix == ".md" or not any(f"_{lab}_" in words for lab in others)

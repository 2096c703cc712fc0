"""Which sources an installed harness was built from, and whether a repository has the same ones."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path, PurePosixPath

LIST = "sources.sha256"
"""A file in an installed harness, as sha256sum writes it."""

_OF_ALL_LABS = (
    "common/**/*",
    "CMakeLists.txt",
    "tests/CMakeLists.txt",
    "tests/labs/CMakeLists.txt",
)
_OF_A_LAB = ("labs/{0}/{0}.h", "tests/labs/{0}/*")


def is_listed(installed: Path) -> bool:
    return (installed / LIST).is_file()


def text(installed: Path) -> str:
    return (installed / LIST).read_text(encoding="utf-8")


def differing(repo: Path, listed: str, labs: Collection[str]) -> str | None:
    """A file of the repository that is not the one that `listed` has.

    What belongs to other labs does not matter.
    """
    pairs = (line.split("  ", 1) for line in listed.splitlines())
    built_from = {name: sha256 for sha256, name in pairs if _matters(name, labs)}
    names = {*built_from, *_sources(repo, labs)}
    return next((name for name in sorted(names) if _differs(repo, name, built_from)), None)


def _differs(repo: Path, name: str, built_from: Mapping[str, str]) -> bool:
    try:
        content = (repo / name).read_bytes()
    except OSError:
        return True
    return built_from.get(name) != hashlib.sha256(content).hexdigest()


def _sources(repo: Path, labs: Collection[str]) -> Iterator[str]:
    patterns = [*_OF_ALL_LABS, *(one.format(lab) for lab in labs for one in _OF_A_LAB)]
    for pattern in patterns:
        for path in repo.glob(pattern):
            # A page may have lost links in a students' repository.
            if path.is_file() and path.suffix != ".md":
                yield path.relative_to(repo).as_posix()


def _matters(name: str, labs: Collection[str]) -> bool:
    match PurePosixPath(name).parts:
        case ("labs", lab, _) | ("tests", "labs", lab, _):
            return lab in labs
    return True

"""Reads from #include lines which of our C++ and CUDA files includes which."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Set
from pathlib import Path

REPO = Path(__file__).resolve().parents[3]

_FOLDERS = ("common", "labs", "solutions", "tests")
_SUFFIXES = (".h", ".cuh", ".cpp", ".cu")
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"\n]+)"|<([^>\n]+)>)', re.MULTILINE)

CUDA_HEADERS = Path("common/emulator/include")
# These include files of other libraries, which are downloaded next to them.
_OTHERS = Path("tests/measure/others")


def edges(repo: Path = REPO) -> Iterator[tuple[Path, Path]]:
    """Yields every pair (file, file that it includes), as paths in the repository.

    Headers of the system and of Catch2 are left out. CUDA's names lead to the emulator's headers,
    although with nvcc the toolkit answers to them. Raises LookupError for a quoted name that is no
    file's, because a missing arrow would be a hole in the check.
    """
    files = frozenset(_sources(repo))
    for path in sorted(files):
        for match in _INCLUDE.finditer((repo / path).read_text(encoding="utf-8")):
            quoted, angled = match.groups()
            name = quoted or angled
            if CUDA_HEADERS / name in files:
                targets = [CUDA_HEADERS / name]
            elif quoted:
                targets = _named(quoted, path, files)
            else:
                targets = []
            yield from ((path, target) for target in targets)


def _sources(repo: Path) -> Iterator[Path]:
    for folder in _FOLDERS:
        for path in (repo / folder).rglob("*"):
            name = path.relative_to(repo)
            # Some of CUDA's headers have no suffix.
            if name.is_relative_to(_OTHERS):
                continue
            if path.is_file() and (path.suffix in _SUFFIXES or name.is_relative_to(CUDA_HEADERS)):
                yield name


def _named(name: str, includer: Path, files: Set[Path]) -> list[Path]:
    """The file that a quoted name means: next to the includer, above it, or below common/.

    If only the build's include folders can tell, these are all files whose path ends like that. An
    arrow too many is better than one too few.
    """
    for folder in (*includer.parents, Path("common")):
        if (path := Path(os.path.normpath(folder / name))) in files:
            return [path]
    ending = Path(name).parts
    found = sorted(path for path in files if path.parts[-len(ending) :] == ending)
    if not found:
        raise LookupError(f'{includer}: no file of ours is "{name}"')
    return found

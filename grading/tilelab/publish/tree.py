"""Lists the files of this repository that belong to it, whatever else lies in its folder."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator, Sequence
from fnmatch import fnmatch
from pathlib import Path, PurePosixPath

_LAUNCHER = PurePosixPath("tilelab")


def files(repo: Path) -> list[PurePosixPath]:
    """The files as git lists them, with new ones and without ignored ones, sorted.

    Without git, or in a copy that git does not track, .gitignore says what is left out.
    """
    listed = _listed_by_git(repo)
    found = listed if _LAUNCHER in listed else list(_walk(repo))
    return sorted(path for path in found if (repo / path).is_file())


def _listed_by_git(repo: Path) -> list[PurePosixPath]:
    # A checkout that several users share belongs to another one.
    git = ["git", "-C", str(repo), "-c", f"safe.directory={repo}"]
    try:
        finished = subprocess.run(
            [*git, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            capture_output=True,
            check=False,
        )
    except OSError:
        return []
    if finished.returncode != 0:
        return []
    names = finished.stdout.decode("utf-8", "surrogateescape").split("\0")
    return [PurePosixPath(name) for name in dict.fromkeys(names) if name]


def _walk(repo: Path) -> Iterator[PurePosixPath]:
    patterns = [".git", *_lines(repo / ".gitignore")]
    for folder, folders, names in os.walk(repo):
        here = Path(folder).relative_to(repo)
        folders[:] = [name for name in folders if not _is_ignored(here / name, True, patterns)]
        for name in names:
            if not _is_ignored(here / name, False, patterns):
                yield PurePosixPath(here / name)


def _lines(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split() if path.is_file() else []


def _is_ignored(path: Path, is_folder: bool, patterns: Sequence[str]) -> bool:
    for pattern in patterns:
        if pattern.endswith("/") and not is_folder:
            continue
        bare = pattern.rstrip("/")
        if fnmatch(f"/{path}", bare) if bare.startswith("/") else fnmatch(path.name, bare):
            return True
    return False

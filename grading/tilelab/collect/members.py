"""The files of a source, of which those that matter are copied to a folder of ours.

A source is a download, so what lies in it was named and packed by students. Nothing of it is ever
written under a name of theirs, and every amount has a limit.
"""

from __future__ import annotations

import datetime
import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO

from tilelab.base.errors import InfraError
from tilelab.base.text import one_line, shorten

MIB = 1024 * 1024

# Generous for honest files: a submission is rejected above 256 KiB anyway.
MAX_FILE = MIB
MAX_METADATA = 64 * MIB
MAX_ARCHIVE = 32 * MIB  # of a student, packed
MAX_UNPACKED = 64 * MIB  # the same, unpacked
MAX_SOURCE = 2048 * MIB  # what is copied from one source
MAX_STREAM = 16 * 1024 * MIB  # what is unpacked of a tar to find that
MAX_MEMBERS = 1_000_000
MAX_MEMBERS_OF_ARCHIVE = 10_000
MAX_FOLDERS = 6_000  # of students without a roster, some of whom have several

# What may hold a program, under whatever name.
_TEXTS = (".cu", ".cuh", ".txt", ".c", ".cc", ".cpp", ".cxx")

# A student's question about a grade, as some system may have renamed it.
_QUESTION = re.compile(r"(?:.*_)?questions?(?:[ _-]*\(?\d{1,4}\)?)?\.(?:md|txt)", re.IGNORECASE)

_OF_WINDOWS = ("thumbs.db", "ehthumbs.db", "desktop.ini")

_CHUNK = 64 * 1024
_SHOWN_REFUSALS = 5  # of one student's archive

ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".txz")
METADATA = "submission_metadata.yml"


class Refused(Exception):
    """A member that is not taken. The text says why."""


@dataclass(frozen=True)
class Member:
    """A file: its folders and its name in the attempt, and our copy of it, if it matters.

    `origin` is its path in the source, if that is another one. `when` is None unless the source
    knows a time of its own for each file, and `older` are what the file was before, the oldest
    first.
    """

    path: tuple[str, ...]
    copy: Path | None = None
    origin: tuple[str, ...] = ()
    when: datetime.datetime | None = None
    older: tuple[Member, ...] = ()

    @property
    def name(self) -> str:
        return self.path[-1]

    @property
    def shown(self) -> str:
        return shown(self.origin or self.path)

    @property
    def key(self) -> str:
        """Its whole path in the source, on one line."""
        return one_line("/".join(self.origin or self.path))

    @property
    def versions(self) -> tuple[Member, ...]:
        return (*self.older, self)

    @property
    def is_kernel(self) -> bool:
        return self.name.lower().endswith(".cu")

    @property
    def is_question(self) -> bool:
        """Whether a student asks something in it, rather than hands it in."""
        return _QUESTION.fullmatch(self.name) is not None

    def at(self, path: tuple[str, ...]) -> Member:
        """The same file under the path that it has in its attempt."""
        return replace(self, path=path, origin=self.origin or self.path)

    def data(self) -> bytes:
        return self.copy.read_bytes() if self.copy else b""


@dataclass
class Tree:
    """The files of a source, and a line about each that was refused."""

    members: list[Member] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)


class Spool:
    """Copies what matters of one source into `folder`, under names of our own.

    `most_folders` may lie side by side in an archive, before anything of it is copied.
    """

    def __init__(self, folder: Path, most_folders: int = MAX_FOLDERS) -> None:
        self.most_folders = most_folders
        self._folder = folder
        self._count = 0
        self._left = MAX_SOURCE

    def keep(self, stream: IO[bytes], limit: int) -> Path:
        """Copies a stream. Raises Refused if there is more in it than `limit`."""
        self._count += 1
        path = self._folder / f"{self._count:07}"
        size = 0
        with path.open("xb", buffering=0) as file:
            while chunk := stream.read(min(_CHUNK, limit + 1 - size)):
                size += len(chunk)
                if size > limit:
                    raise Refused(f"is larger than {limit // MIB} MiB")
                if size > self._left:
                    raise Refused(f"would make this source larger than {MAX_SOURCE // MIB} MiB")
                _write(file, chunk)
        self._left -= size
        return path


def _write(file: IO[bytes], chunk: bytes) -> None:
    # An error of the stream means that an archive is broken, but one of our copy that the disk is.
    try:
        file.write(chunk)
    except OSError as error:
        raise InfraError(f"{file.name} cannot be written: {error.strerror}") from error


def limit_of(name: str) -> int:
    """How large a file of this name may be, 0 if nothing in it matters."""
    lower = name.lower()
    if lower == METADATA:
        return MAX_METADATA
    if is_archive(lower):
        return MAX_ARCHIVE
    return MAX_FILE if lower.endswith(_TEXTS) or _QUESTION.fullmatch(name) else 0


def is_archive(name: str) -> bool:
    return name.lower().endswith(ARCHIVES)


def is_hidden(path: tuple[str, ...]) -> bool:
    """Whether nobody handed this in: what systems leave in folders and archives."""
    of_windows = path[-1].lower() in _OF_WINDOWS if path else False
    return of_windows or any(part.startswith(".") or part == "__MACOSX" for part in path)


def split(name: str) -> tuple[str, ...]:
    """The folders and the name of a member of an archive. Raises Refused if they lead out of it."""
    # Some old programs for Windows write backslashes.
    name = name.replace("\\", "/")
    if name.startswith("/") or name[1:2] == ":":
        raise Refused("has an absolute path")
    parts = tuple(part for part in name.split("/") if part not in ("", "."))
    if ".." in parts:
        raise Refused("has a path that leaves the archive")
    return valid(parts)


def valid(parts: tuple[str, ...]) -> tuple[str, ...]:
    """The same parts. Raises Refused if they are not text."""
    if not parts or any("\0" in part for part in parts):
        raise Refused("has no name")
    if any("\ud800" <= character <= "\udfff" for part in parts for character in part):
        raise Refused("has a name that is not UTF-8")
    if len(parts) > 40:
        raise Refused("lies in more than 40 folders")
    return parts


def assert_few_folders(paths: Sequence[Sequence[str]], most: int) -> None:
    """Refuses an archive that would be a class of thousands."""
    tops = {path[0] for path in paths if len(path) > 1}
    if len(tops) == 1:
        tops = {path[1] for path in paths if len(path) > 2}
    if len(tops) > most:
        raise Refused(
            f"has {len(tops):,} folders side by side: if each is a student's, name them all in a "
            "roster"
        )


def unique(tree: Tree, where: str) -> Tree:
    """Refuses the members of an archive that share a path: each program takes another one.

    Where all of them have one content, it does not matter which.
    """
    counts = Counter(member.path for member in tree.members)
    contents: dict[tuple[str, ...], set[bytes]] = {}
    for member in tree.members:
        if counts[member.path] > 1:
            contents.setdefault(member.path, set()).add(hashlib.sha256(member.data()).digest())
    several = [path for path, digests in contents.items() if len(digests) > 1]
    kept = {member.path: member for member in tree.members if member.path not in several}
    return Tree(
        list(kept.values()),
        [
            *tree.refused,
            *(
                f"{where}{shown(path)}: is in it {counts[path]} times: unpack it, keep the right "
                "one, and collect the folder"
                for path in several
            ),
        ],
    )


def few(refused: list[str], where: str) -> list[str]:
    """The first of many lines about one student's archive, and how many more there are."""
    if not where or len(refused) <= _SHOWN_REFUSALS:
        return refused
    more = len(refused) - _SHOWN_REFUSALS
    return [*refused[:_SHOWN_REFUSALS], f"{where.rstrip('/')}: refused {more} more members"]


def shown(path: tuple[str, ...]) -> str:
    """A path as one line of a sensible length."""
    return shorten(one_line("/".join(path)), 120)

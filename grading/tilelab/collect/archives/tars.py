"""Reads a tar file, compressed or not: regular files only, and no name that leads out."""

from __future__ import annotations

import bz2
import gzip
import lzma
import tarfile
import zlib
from pathlib import Path
from typing import IO, cast

from tilelab.collect.members import (
    MAX_MEMBERS,
    MAX_STREAM,
    MIB,
    Member,
    Refused,
    Spool,
    Tree,
    assert_few_folders,
    few,
    is_hidden,
    limit_of,
    shown,
    split,
    unique,
)

_BROKEN = (tarfile.TarError, zlib.error, lzma.LZMAError, EOFError, OSError, ValueError)
_BLOCK = 512


class _Limited:
    """A stream that ends with Refused before a bomb has filled memory or time."""

    def __init__(self, stream: IO[bytes], limit: int) -> None:
        self._stream = stream
        self._limit = limit
        self._left = limit

    def read(self, size: int) -> bytes:
        data = self._stream.read(size)
        self._left -= len(data)
        if self._left < 0:
            raise Refused(f"unpacks to more than {self._limit // MIB} MiB")
        return data


def is_tar(path: Path) -> bool:
    # tarfile.is_tarfile() would unpack as much as the first header asks for.
    try:
        with _unpacked(path) as stream:
            block = stream.read(_BLOCK)
            tarfile.TarInfo.frombuf(block, "utf-8", "surrogateescape")
            return True
    except _BROKEN:
        return False


def read_tar(
    path: Path, where: str, spool: Spool, most: int = MAX_MEMBERS, unpacked: int = MAX_STREAM
) -> Tree:
    """The members of a tar file that unpacks to `unpacked` bytes at most.

    Raises Refused if it is broken, or a bomb.
    """
    tree = Tree()
    try:
        with _unpacked(path) as stream:
            limited = cast(IO[bytes], _Limited(stream, unpacked))
            with tarfile.open(fileobj=limited, mode="r|", encoding="utf-8") as archive:
                for number, info in enumerate(archive):
                    if number >= most:
                        raise Refused(f"has more than {most:,} members")
                    _take(archive, info, where, spool, tree)
                    if number % spool.most_folders == 0:
                        _assert_few_folders_so_far(tree, spool.most_folders)
        assert_few_folders([one.path for one in tree.members], spool.most_folders)
    except _BROKEN as error:
        raise Refused(f"is a broken tar file ({error})") from error
    tree = unique(tree, where)
    return Tree(tree.members, few(tree.refused, where))


def _assert_few_folders_so_far(tree: Tree, most: int) -> None:
    """Refuses before more is unpacked, unless all lies in one folder, next to which others may."""
    paths = [one.path for one in tree.members]
    if len({path[0] for path in paths}) > 1:
        assert_few_folders(paths, most)


def _unpacked(path: Path) -> IO[bytes]:
    with path.open("rb") as file:
        magic = file.read(6)
    if magic.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.open(path))
    if magic.startswith(b"BZh"):
        return cast(IO[bytes], bz2.open(path))
    if magic == b"\xfd7zXZ\0":
        return cast(IO[bytes], lzma.open(path))
    return path.open("rb")


def _take(
    archive: tarfile.TarFile, info: tarfile.TarInfo, where: str, spool: Spool, tree: Tree
) -> None:
    try:
        if info.isdir() and info.name.strip("./") == "":
            return
        path = split(info.name)
        if info.isdir() or is_hidden(path):
            return
        _assert_regular(info)
        limit = limit_of(path[-1])
        stream = archive.extractfile(info) if limit else None
        tree.members.append(Member(path, spool.keep(stream, limit) if stream else None))
    except Refused as why:
        tree.refused.append(f"{where}{shown((info.name,))}: {why}")


def _assert_regular(info: tarfile.TarInfo) -> None:
    if info.issym() or info.islnk():
        raise Refused("is a link")
    if not info.isreg():
        raise Refused("is not a regular file")

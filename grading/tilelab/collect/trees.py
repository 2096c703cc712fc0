"""Reads a source: a folder, a zip or a tar, and the archives in it that students packed."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from tilelab.base.errors import UserError
from tilelab.base.text import one_line
from tilelab.collect.archives.tars import is_tar, read_tar
from tilelab.collect.archives.zips import is_zip, lacks_end, read_zip
from tilelab.collect.members import (
    ARCHIVES,
    MAX_MEMBERS,
    MAX_MEMBERS_OF_ARCHIVE,
    MAX_UNPACKED,
    Member,
    Refused,
    Spool,
    Tree,
    is_archive,
    is_hidden,
    limit_of,
    shown,
    valid,
)


def read_source(path: Path, spool: Spool) -> Tree:
    """All files of a source. Raises UserError if it is none."""
    if path.is_dir():
        tree = _read_folder(path, spool)
    elif not path.is_file():  # a pipe or a device may have no end
        raise UserError(f"{one_line(str(path))} is no folder, zip or tar file")
    else:
        try:
            tree = _read_archive(path, spool)
        except Refused as why:
            raise UserError(f"{one_line(str(path))} {why}") from why
    return _with_inner_archives(tree, spool)


def without_suffix(name: str) -> str:
    """The name of an archive without .zip and the like, or the same name."""
    lower = name.lower()
    suffix = next((one for one in ARCHIVES if lower.endswith(one) and lower != one), "")
    return name[: len(name) - len(suffix)]


def _read_archive(path: Path, spool: Spool) -> Tree:
    try:
        if is_zip(path):
            return read_zip(path, "", spool)
        if is_tar(path):
            return read_tar(path, "", spool)
        _assert_whole(path)
    except OSError as error:
        raise Refused(f"cannot be read ({error.strerror})") from error
    raise Refused("is no folder, zip or tar file")


def _with_inner_archives(tree: Tree, spool: Spool) -> Tree:
    """The same tree, where an archive is the folder of what it holds. Only one level deep."""
    found = Tree([], list(tree.refused))
    for member in tree.members:
        if member.copy is None or not is_archive(member.name):
            found.members.append(member)
            continue
        try:
            inner = _read_inner(member.copy, f"{member.shown}/", spool)
        except Refused as why:
            found.refused.append(f"{member.shown}: {why}")
            continue
        found.refused += inner.refused
        if not inner.members and not inner.refused:
            found.members.append(Member(member.path))  # somebody handed in nothing, packed
        for one in inner.members:
            if is_archive(one.name):
                found.refused.append(f"{member.shown}/{one.shown}: is an archive in an archive")
            else:
                found.members.append(Member((*member.path, *one.path), one.copy))
    return found


def _read_inner(copy: Path, where: str, spool: Spool) -> Tree:
    if is_zip(copy):
        return read_zip(copy, where, spool, MAX_MEMBERS_OF_ARCHIVE)
    if is_tar(copy):
        return read_tar(copy, where, spool, MAX_MEMBERS_OF_ARCHIVE, MAX_UNPACKED)
    _assert_whole(copy)
    raise Refused("is no zip or tar file, whatever its name says")


def _assert_whole(path: Path) -> None:
    if lacks_end(path):
        raise Refused("is a zip file without its end: download it again")


def _read_folder(folder: Path, spool: Spool) -> Tree:
    tree = Tree()
    for number, path in enumerate(_walk(folder, tree)):
        if number >= MAX_MEMBERS:
            raise UserError(f"{one_line(str(folder))} has more than {MAX_MEMBERS:,} files")
        parts = path.relative_to(folder).parts
        if is_hidden(parts):
            continue
        try:
            tree.members.append(_member(path, valid(parts), spool))
        except Refused as why:
            tree.refused.append(f"{shown(parts)}: {why}")
    return tree


def _walk(folder: Path, tree: Tree) -> Iterator[Path]:
    """All files below a folder, in an order that does not change. Follows no link."""

    def refuse(error: OSError) -> None:
        parts = Path(error.filename).relative_to(folder).parts
        if not parts:
            raise UserError(f"{one_line(str(folder))}: {error.strerror}") from error
        tree.refused.append(f"{shown(parts)}: cannot be read ({error.strerror})")

    for parent, folders, files in os.walk(folder, onerror=refuse):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        # os.walk lists a link to a folder as a folder, but does not enter it.
        links = [name for name in folders if os.path.islink(os.path.join(parent, name))]
        for name in sorted([*files, *links]):
            yield Path(parent, name)


def _member(path: Path, parts: tuple[str, ...], spool: Spool) -> Member:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        raise Refused("is a link")
    if not stat.S_ISREG(mode):
        raise Refused("is not a regular file")
    if not (limit := limit_of(parts[-1])):
        return Member(parts)
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if error.errno in (errno.EMFILE, errno.ENFILE):
            raise
        raise Refused(f"cannot be read ({error.strerror})") from error
    with open(descriptor, "rb") as stream:
        return Member(parts, spool.keep(stream, limit))

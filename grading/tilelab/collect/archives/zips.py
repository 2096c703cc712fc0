"""Reads a zip file: no links, no encryption, no entries that overlap, no name that leads out."""

from __future__ import annotations

import itertools
import stat
import struct
import zipfile
import zlib
from pathlib import Path

from tilelab.collect.members import (
    MAX_MEMBERS,
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

_START = b"PK\x03\x04"
_END = b"PK\x05\x06"  # of the record at the end, which says how large the list of members is
_END_SIZE = 22
_LONGEST_COMMENT = 65535
_HEADER = 30  # the fixed part of what precedes each member's data
_BYTES_PER_LISTED_MEMBER = 128
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError)


def is_zip(path: Path) -> bool:
    return zipfile.is_zipfile(path)


def lacks_end(path: Path) -> bool:
    """Whether this is the beginning of a zip file, as after a download that was cut off."""
    with path.open("rb") as file:
        return file.read(len(_START)) == _START and not is_zip(path)


def read_zip(path: Path, where: str, spool: Spool, most: int = MAX_MEMBERS) -> Tree:
    """The members of a zip file with up to `most` of them. Raises Refused if it is broken."""
    _assert_short_list(path, most)
    try:
        with zipfile.ZipFile(path) as archive:
            infos = archive.infolist()
            if len(infos) > most:
                raise Refused(f"has more than {most:,} members")
            return _read(archive, infos, where, spool)
    except (*_BROKEN, ValueError, UnicodeDecodeError) as error:
        raise Refused(f"is a broken zip file ({error})") from error


def _read(archive: zipfile.ZipFile, infos: list[zipfile.ZipInfo], where: str, spool: Spool) -> Tree:
    tree = Tree()
    assert_few_folders([_name(info).split("/") for info in infos], spool.most_folders)
    overlapping = _overlapping(infos)
    for info in infos:
        name = _name(info)
        try:
            path = split(name)
            if info.is_dir() or name.endswith("\\") or is_hidden(path):
                continue
            _assert_harmless(info, overlapping)
            limit = limit_of(path[-1])
            copy = _copy(archive, info, spool, limit) if limit else None
            tree.members.append(Member(path, copy))
        except Refused as why:
            tree.refused.append(f"{where}{shown((name,))}: {why}")
    tree = unique(tree, where)
    return Tree(tree.members, few(tree.refused, where))


def _name(info: zipfile.ZipInfo) -> str:
    """The name of a member. Programs of macOS write UTF-8 without saying so."""
    if info.flag_bits & 0x800:
        return info.filename
    try:
        return info.filename.encode("cp437").decode("utf-8")
    except UnicodeError:
        return info.filename


def _assert_harmless(info: zipfile.ZipInfo, overlapping: set[int]) -> None:
    mode = info.external_attr >> 16
    if stat.S_ISLNK(mode):
        raise Refused("is a link")
    if stat.S_IFMT(mode) not in (0, stat.S_IFREG):
        raise Refused("is not a regular file")
    if info.flag_bits & 0x1:
        raise Refused("is encrypted")
    if info.header_offset in overlapping:
        raise Refused("shares its data with another member, as a bomb does")


def _copy(archive: zipfile.ZipFile, info: zipfile.ZipInfo, spool: Spool, limit: int) -> Path:
    try:
        with archive.open(info) as stream:
            copy = spool.keep(stream, limit)
    except _BROKEN as error:
        raise Refused(f"cannot be unpacked ({error})") from error
    if copy.stat().st_size != info.file_size:
        raise Refused("is not as large as the archive says")
    return copy


def _overlapping(infos: list[zipfile.ZipInfo]) -> set[int]:
    """Where members begin that reach into the next one."""
    found = set()
    ordered = sorted(infos, key=lambda info: info.header_offset)
    for one, following in itertools.pairwise(ordered):
        if one.header_offset + _HEADER + one.compress_size > following.header_offset:
            found |= {one.header_offset, following.header_offset}
    return found


def _assert_short_list(path: Path, most: int) -> None:
    """Refuses a list of members that would fill the memory, which zipfile reads as a whole."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END_SIZE - _LONGEST_COMMENT))
        tail = file.read()
    if (begin := tail.rfind(_END)) < 0:
        raise Refused("is a broken zip file (it has no end)")
    if len(tail) < begin + _END_SIZE:
        raise Refused("is a broken zip file (it is cut off)")
    (list_size,) = struct.unpack_from("<I", tail, begin + 12)
    if min(list_size, size) > most * _BYTES_PER_LISTED_MEMBER:
        raise Refused(f"has more than {most:,} members")

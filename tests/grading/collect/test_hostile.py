"""Archives that want to do harm, or are broken: one line each, and the others are read."""

from __future__ import annotations

import io
import os
import struct
import tarfile
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import downloads
from tilelab.base.errors import InfraError, UserError
from tilelab.collect import members, roster
from tilelab.collect.members import Member, Spool, Tree
from tilelab.collect.sources import gradescope
from tilelab.collect.trees import read_source
from tilelab.labs import course
from tilelab.pipeline.class_folder import read_notes

GOOD = downloads.FIRST


def read(path: Path) -> Tree:
    work = path.parent / "copies"
    work.mkdir()
    return read_source(path, Spool(work))


def kernels(tree: Tree) -> dict[str, str]:
    return {"/".join(one.path): one.data().decode() for one in tree.members if one.is_kernel}


def within(student: bytes, at: Path, name: str = "bad.zip") -> Tree:
    """A class in which one student uploaded this archive."""
    return read(downloads.zip_of(at / "class.zip", {f"eve/{name}": student, "amber/diff.cu": GOOD}))


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("../../diff.cu", "has a path that leaves the archive"),
        ("eve/../../diff.cu", "has a path that leaves the archive"),
        ("..\\..\\diff.cu", "has a path that leaves the archive"),
        ("/etc/diff.cu", "has an absolute path"),
        ("C:\\diff.cu", "has an absolute path"),
        ("a/" * 50 + "diff.cu", "lies in more than 40 folders"),
    ],
)
@pytest.mark.parametrize("pack", [downloads.zip_of, downloads.tar_of])
def test_names_that_lead_out_are_refused(
    name: str, why: str, pack: Callable[..., Path], tmp_path: Path
) -> None:
    tree = read(pack(tmp_path / "in", {name: "x", "amber/diff.cu": GOOD}))
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert len(tree.refused) == 1 and tree.refused[0].endswith(f": {why}")


def test_what_is_no_regular_file_is_refused(tmp_path: Path) -> None:
    with tarfile.open(tmp_path / "in.tar", "w") as archive:
        for name, kind in {
            "fifo": tarfile.FIFOTYPE,
            "device": tarfile.CHRTYPE,
            "hard": tarfile.LNKTYPE,
            "soft": tarfile.SYMTYPE,
        }.items():
            info = tarfile.TarInfo(f"eve/{name}.cu")
            info.type, info.linkname = kind, "/etc/passwd"
            archive.addfile(info)
        info = tarfile.TarInfo("amber/diff.cu")
        info.size = len(GOOD)
        archive.addfile(info, io.BytesIO(GOOD.encode()))
    tree = read(tmp_path / "in.tar")
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert tree.refused == [
        "eve/fifo.cu: is not a regular file",
        "eve/device.cu: is not a regular file",
        "eve/hard.cu: is a link",
        "eve/soft.cu: is a link",
    ]


def test_a_folder_s_links_and_pipes_are_refused(tmp_path: Path) -> None:
    source = downloads.folder_of(
        tmp_path / "in", {"amber/diff.cu": GOOD, "eve/diff.cu": downloads.LINK}
    )
    (source / "out").symlink_to("/etc")
    os.mkfifo(source / "eve" / "nbody.cu")
    tree = read(source)
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert sorted(tree.refused) == [
        "eve/diff.cu: is a link",
        "eve/nbody.cu: is not a regular file",
        "out: is a link",
    ]


def test_encrypted_members_are_refused(tmp_path: Path) -> None:
    path = downloads.zip_of(tmp_path / "in.zip", {"eve/diff.cu": GOOD, "amber/diff.cu": GOOD})
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.find(signature) + offset] |= 1
    path.write_bytes(data)
    tree = read(path)
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert tree.refused == ["eve/diff.cu: is encrypted"]


@pytest.mark.parametrize("claimed", [10, 10_000])
def test_a_size_that_lies_is_refused(claimed: int, tmp_path: Path) -> None:
    path = downloads.zip_of(tmp_path / "in.zip", {"eve/diff.cu": GOOD, "amber/diff.cu": GOOD})
    data = bytearray(path.read_bytes())
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", data, data.find(signature) + offset, claimed)
    path.write_bytes(data)
    tree = read(path)
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert len(tree.refused) == 1 and tree.refused[0].startswith("eve/diff.cu: ")


def test_members_that_share_their_data_are_refused(tmp_path: Path) -> None:
    path = downloads.zip_of(
        tmp_path / "in.zip", {"eve/a.cu": GOOD, "eve/b.cu": GOOD, "amber/diff.cu": GOOD}
    )
    data = bytearray(path.read_bytes())
    second = data.find(b"PK\x01\x02", data.find(b"PK\x01\x02") + 1)
    struct.pack_into("<I", data, second + 42, 0)  # where the first one begins
    path.write_bytes(data)
    tree = read(path)
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert [line.partition(": ")[2] for line in tree.refused] == [
        "shares its data with another member, as a bomb does"
    ] * 2


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "in.zip", "w") as archive:
        archive.writestr("eve/diff.cu", "good")
        archive.writestr("eve/diff.cu", "bad")
        archive.writestr("amber/diff.cu", GOOD)
        archive.writestr("amber/diff.cu", GOOD)
    tree = read(tmp_path / "in.zip")
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert tree.refused == [
        "eve/diff.cu: is in it 2 times: unpack it, keep the right one, and collect the folder"
    ]


def test_bombs_are_refused(tmp_path: Path) -> None:
    bomb = io.BytesIO()
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("diff.cu", b" " * (members.MAX_FILE + 1))
        archive.writestr("nbody.cu", GOOD)
    tree = within(bomb.getvalue(), tmp_path)
    assert kernels(tree) == {"amber/diff.cu": GOOD, "eve/bad.zip/nbody.cu": GOOD}
    assert tree.refused == ["eve/bad.zip/diff.cu: is larger than 1 MiB"]


def test_a_tar_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    inner = downloads.tar_of(tmp_path / "b", {"big.bin": b"\0" * (members.MAX_UNPACKED + 1)})
    tree = within(inner.read_bytes(), tmp_path, "bad.tgz")
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert tree.refused == ["eve/bad.tgz: unpacks to more than 64 MiB"]


@pytest.mark.parametrize("name", ["bad.zip", "bad.tar"])
def test_too_many_members_are_refused(name: str, tmp_path: Path) -> None:
    files = {f"{number}": b"" for number in range(members.MAX_MEMBERS_OF_ARCHIVE + 1)}
    if name == "bad.zip":
        packed = downloads.zip_bytes(files)
    else:
        packed = downloads.tar_of(tmp_path / "b", files, "w").read_bytes()
    tree = within(packed, tmp_path, name)
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert tree.refused == [f"eve/{name}: has more than 10,000 members"]


def test_an_archive_in_an_archive_of_a_student_is_refused(tmp_path: Path) -> None:
    inner = downloads.zip_bytes({"deep.zip": downloads.zip_bytes({"diff.cu": GOOD})})
    tree = within(inner, tmp_path)
    assert tree.refused == ["eve/bad.zip/deep.zip: is an archive in an archive"]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "is no zip or tar file, whatever its name says"),
        (b"Rar!\x1a\x07", "is no zip or tar file, whatever its name says"),
        (downloads.zip_bytes({"diff.cu": GOOD})[:-30], "is a zip file without its end: download"),
        (downloads.zip_bytes({"diff.cu": GOOD})[20:], "cannot be unpacked"),
        (b"\x1f\x8b\x08\x00", "is no zip or tar file"),
    ],
)
def test_broken_archives_are_refused(content: bytes, why: str, tmp_path: Path) -> None:
    tree = within(content, tmp_path)
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert len(tree.refused) == 1 and why in tree.refused[0]


def test_a_download_that_was_cut_off_is_named(tmp_path: Path) -> None:
    path = tmp_path / "in.zip"
    path.write_bytes(downloads.zip_bytes({"amber/diff.cu": GOOD})[:-30])
    with pytest.raises(UserError, match=r"in\.zip is a zip file without its end: download it"):
        read(path)


def test_names_of_macos_are_utf_8_without_a_flag(tmp_path: Path) -> None:
    path = downloads.zip_of(tmp_path / "in.zip", {"Zoe/diff.cu": GOOD, "Jörg/diff.cu": GOOD})
    data = path.read_bytes().replace(b"Zoe/", b"Zo\xc3\xab"[:4])
    path.write_bytes(data.replace(b"Zo\xc3\xabdiff.cu", b"Zo\xc3\xab/iff.cu"))
    tree = read(path)
    assert sorted(kernels(tree)) == ["Jörg/diff.cu", "Zoë/iff.cu"]


def test_names_of_old_windows_are_read(tmp_path: Path) -> None:
    path = downloads.zip_of(tmp_path / "in.zip", {"Jxrg/diff.cu": GOOD})
    path.write_bytes(path.read_bytes().replace(b"Jxrg", b"J\x94rg"))
    assert list(kernels(read(path))) == ["Jörg/diff.cu"]


def test_names_that_are_no_text_are_refused(tmp_path: Path) -> None:
    source = downloads.folder_of(tmp_path / "in", {"amber/diff.cu": GOOD})
    os.mkdir(os.fsencode(source) + b"/J\xf6rg")
    with open(os.fsencode(source) + b"/J\xf6rg/diff.cu", "w") as file:
        file.write(GOOD)
    tree = read(source)
    assert kernels(tree) == {"amber/diff.cu": GOOD}
    assert tree.refused == ["J\\udcf6rg/diff.cu: has a name that is not UTF-8"]


def test_many_refusals_of_one_archive_are_few_lines(tmp_path: Path) -> None:
    inner = downloads.zip_bytes({f"../{number}.cu": "x" for number in range(1000)})
    tree = within(inner, tmp_path)
    assert len(tree.refused) == 6
    assert tree.refused[-1] == "eve/bad.zip: refused 995 more members"


def test_each_refusal_of_a_source_is_a_line(tmp_path: Path) -> None:
    files = {f"eve{number}/diff.cu": downloads.LINK for number in range(20)}
    tree = read(downloads.zip_of(tmp_path / "in.zip", files))
    assert len(tree.refused) == 20


def test_what_systems_leave_behind_is_no_file_of_anybody(tmp_path: Path) -> None:
    source = downloads.zip_of(
        tmp_path / "in.zip",
        {
            "amber/diff.cu": GOOD,
            "__MACOSX/amber/._diff.cu": "x",
            "amber/.DS_Store": "x",
            "Thumbs.db": "x",
            "amber/thumbs.db": "x",
            "amber/Desktop.ini": "x",
        },
    )
    tree = read(source)
    assert ["/".join(one.path) for one in tree.members] == ["amber/diff.cu"]
    assert tree.refused == []


@pytest.mark.parametrize("pack", [downloads.zip_of, downloads.tar_of])
def test_a_full_disk_is_nobody_s_fault(
    pack: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = pack(tmp_path / "in", {"amber/diff.cu": GOOD})
    spool = Spool(tmp_path / "copies")
    (tmp_path / "copies").mkdir()
    monkeypatch.setattr(Path, "open", _full(Path.open))
    with pytest.raises(InfraError, match="No space left"):
        read_source(source, spool)


def _full(real: Callable[..., Any]) -> Callable[..., Any]:
    def open_file(path: Path, mode: str = "r", *arguments: Any, **more: Any) -> Any:
        return real(Path("/dev/full"), "wb", 0) if "x" in mode else real(path, mode, *arguments)

    return open_file


def test_a_source_that_is_none_is_a_user_s_mistake(tmp_path: Path) -> None:
    (tmp_path / "in.zip").write_text("no zip")
    with pytest.raises(UserError, match=r"in\.zip is no folder, zip or tar file"):
        read(tmp_path / "in.zip")


@pytest.mark.parametrize("kind", ["device", "pipe", "folder", "large", "rows", "cells"])
def test_a_roster_without_an_end_is_one_line(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "roster.csv"
    if kind == "device":
        path = Path("/dev/zero")
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "folder":
        path.mkdir()
    else:
        text = {"large": "x" * 9_000_000, "rows": "\na" * 110_000, "cells": "," * 8_000_000}[kind]
        path.write_text("student\n" + text)
    with pytest.raises(UserError) as caught:
        roster.load(path)
    assert str(caught.value).startswith(str(path)) and "\n" not in str(caught.value)


@pytest.mark.parametrize("top", ["", "class/"])
@pytest.mark.parametrize("pack", [downloads.zip_of, downloads.tar_of])
def test_how_many_folders_a_class_may_have_depends_on_the_roster(
    pack: Callable[[Path, dict[str, str | bytes]], Path], top: str, tmp_path: Path
) -> None:
    files: dict[str, str | bytes] = {
        f"{top}{name}/diff.cu": GOOD for name in ("amber", "basil", "clover")
    }
    source = pack(tmp_path / "in", files)
    few, enough = (tmp_path / name for name in ("few", "enough"))
    few.mkdir()
    enough.mkdir()
    with pytest.raises(UserError, match="has 3 folders side by side"):
        read_source(source, Spool(few, most_folders=2))
    assert len(read_source(source, Spool(enough, most_folders=3)).members) == 3


def test_a_source_without_an_end_is_one_line(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path / "pipe", Path("/dev/zero")):
        with pytest.raises(UserError, match="is no folder, zip or tar file"):
            read_source(path, Spool(tmp_path))


@pytest.mark.parametrize("text", ["a = " + "[" * 100_000, "a = " + "{a = " * 100_000])
def test_a_course_of_brackets_is_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "course.toml").write_text(text)
    with pytest.raises(UserError, match=r"course\.toml: tables or lists lie too deep"):
        course.load(tmp_path / "course.toml")


@pytest.mark.parametrize("text", ["[" * 100_000, '{"x": ' * 100_000, '{"x": ' + "[" * 100_000])
def test_notes_of_brackets_are_one_line(text: str, tmp_path: Path) -> None:
    (tmp_path / "collected.json").write_text(text)
    with pytest.raises(UserError, match=r"collected\.json cannot be used"):
        read_notes(tmp_path)


def test_notes_that_are_a_device_are_one_line(tmp_path: Path) -> None:
    (tmp_path / "collected.json").symlink_to("/dev/zero")
    with pytest.raises(UserError, match=r"collected\.json is not a regular file"):
        read_notes(tmp_path)


@pytest.mark.parametrize("line", [b":a: 1\n", b":a: [\n", b"- x\n", b"a,a,a,a,a,a,\n"])
def test_a_file_about_submissions_that_is_too_much_is_soon_one_line(
    line: bytes, tmp_path: Path
) -> None:
    path = tmp_path / "submission_metadata.yml"
    path.write_bytes(b":x:\n" + line * (12_000_000 // len(line)))
    member = Member(("submission_metadata.yml",), path)
    begin = time.monotonic()
    with pytest.raises(UserError, match="holds more than an export of submissions does"):
        gradescope.read([member])
    assert time.monotonic() - begin < 10  # a tenth of a second; minutes without a limit

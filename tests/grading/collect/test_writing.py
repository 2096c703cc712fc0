"""Writing a class, and writing it again."""

from __future__ import annotations

import dataclasses
import datetime
import os
from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.collect import writing
from tilelab.collect.choosing import Choice, Found
from tilelab.collect.members import Member
from tilelab.model.student import Student
from tilelab.pipeline.class_folder import read_class, read_notes

NOON = datetime.datetime(2027, 3, 1, 12, tzinfo=datetime.UTC)
ROSTER = [Student("amber", "Amber Stone"), Student("dill")]


def choice(student: str, data: bytes, at: Path, hours: float = 0, source: str = "in.zip") -> Choice:
    copy = at / f"copy of {student}"
    copy.write_bytes(data)
    when = NOON + datetime.timedelta(hours=hours)
    member = Member(("diff.cu",), copy)
    return Choice(Found(student, "diff", member, f"{source}: diff.cu", (1, 0, 0), when), 1, 1)


def snapshot(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mtime_ns)
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_files_are_copied_byte_for_byte(tmp_path: Path) -> None:
    data = b"\xef\xbb\xbfint x;\r\n\0\xff"
    changes, _ = writing.write(tmp_path / "class", [choice("amber", data, tmp_path)], ROSTER)
    assert (tmp_path / "class" / "amber" / "diff.cu").read_bytes() == data
    assert changes.added == ["amber/diff.cu"]


def test_a_student_without_a_file_is_noted(tmp_path: Path) -> None:
    writing.write(tmp_path / "class", [choice("amber", b"x", tmp_path)], ROSTER)
    found = read_class(tmp_path / "class")
    assert [path.name for path in found.students] == ["amber"]
    assert found.notes == [] and found.collected.students == ROSTER


def test_collecting_again_changes_nothing(tmp_path: Path) -> None:
    choices = [choice("amber", b"x", tmp_path)]
    writing.write(tmp_path / "class", choices, ROSTER)
    before = snapshot(tmp_path / "class")
    changes, _ = writing.write(tmp_path / "class", choices, ROSTER)
    assert changes.unchanged == ["amber/diff.cu"]
    assert snapshot(tmp_path / "class") == before


def test_new_files_are_added_others_replaced_and_none_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    first = [choice("amber", b"1", tmp_path), choice("basil", b"1", tmp_path)]
    writing.write(folder, first, ROSTER)
    again = [choice("amber", b"2", tmp_path, 1), choice("clover", b"1", tmp_path)]
    changes, collected = writing.write(folder, again, [])
    assert changes.added == ["clover/diff.cu"]
    assert changes.updated == ["amber/diff.cu: replaced"]
    assert changes.kept == ["basil/diff.cu"]
    assert [one.student for one in collected.files] == ["amber", "basil", "clover"]
    assert collected.students == ROSTER
    assert read_notes(folder) == collected
    changes, _ = writing.write(folder, [choice("amber", b"1", tmp_path, -1)], [])
    assert changes.updated == ["amber/diff.cu: replaced by one that was handed in earlier"]


def test_the_same_file_counts_from_when_it_was_first_handed_in(tmp_path: Path) -> None:
    def submitted(hours: float, source: str, data: bytes = b"1") -> str | None:
        one = choice("amber", data, tmp_path, hours, source)
        return writing.write(tmp_path / "class", [one], [])[1].files[0].submitted

    def at(hours: float) -> str:
        return (NOON + datetime.timedelta(hours=hours)).isoformat()

    assert submitted(1, "lab1.zip") == at(1)
    assert submitted(9, "lab2.zip") == at(1)
    assert submitted(2, "lab1.zip") == at(2)  # of which the time was wrong
    assert submitted(0, "lab0.zip") == at(0)
    assert submitted(9, "lab2.zip", b"2") == at(9)


def test_a_file_that_somebody_removed_is_no_longer_noted(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    writing.write(folder, [choice("amber", b"1", tmp_path), choice("basil", b"1", tmp_path)], [])
    (folder / "basil" / "diff.cu").unlink()
    _, collected = writing.write(folder, [choice("amber", b"1", tmp_path)], [])
    assert [one.student for one in collected.files] == ["amber"]


def test_a_crash_leaves_no_half_written_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "class"
    writing.write(folder, [choice("amber", b"old", tmp_path)], ROSTER)

    def crash(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", crash)
    with pytest.raises(OSError, match="No space"):
        writing.write(folder, [choice("amber", b"new", tmp_path)], ROSTER)
    assert (folder / "amber" / "diff.cu").read_bytes() == b"old"
    assert os.listdir(folder / "amber") == ["diff.cu"]


def test_what_a_killed_collection_left_is_removed(tmp_path: Path) -> None:
    folder = tmp_path / "class"
    writing.write(folder, [choice("amber", b"old", tmp_path)], ROSTER)
    left = [folder / ".collected.json.a_b1c2d3", folder / "amber" / ".diff.cu.w0h9o4md"]
    for path in left:
        path.touch(0o600)
    theirs = folder / "amber" / ".diff.cu.original"
    theirs.touch(0o644)
    writing.write(folder, [choice("basil", b"new", tmp_path)], ROSTER)
    assert [path.exists() for path in (*left, theirs)] == [False, False, True]


@pytest.mark.parametrize(
    "name",
    [".secret.env.original", ".diff.cu.20261130", "amber/.notes.md.w0h9o4md", ".diff.cu.abcdefgh"],
)
def test_what_only_looks_unfinished_is_left_alone(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "class"
    writing.write(folder, [choice("amber", b"old", tmp_path)], ROSTER)
    (folder / name).touch(0o600)
    writing.write(folder, [choice("basil", b"new", tmp_path)], ROSTER)
    assert (folder / name).exists()


def test_a_folder_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "class").mkdir()
    (tmp_path / "class" / "amber").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="amber is a link"):
        writing.write(tmp_path / "class", [choice("amber", b"x", tmp_path)], [])
    assert os.listdir(tmp_path / "elsewhere") == []


def test_a_file_that_is_a_link_is_replaced_not_followed(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_bytes(b"x")
    (tmp_path / "class" / "amber").mkdir(parents=True)
    (tmp_path / "class" / "amber" / "diff.cu").symlink_to(victim)
    one = choice("amber", b"x", tmp_path)
    writing.write(tmp_path / "class", [dataclasses.replace(one)], [])
    assert not (tmp_path / "class" / "amber" / "diff.cu").is_symlink()
    assert victim.read_bytes() == b"x"

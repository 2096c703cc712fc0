"""What publish does to a folder, new or old."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

import pytest

from tilelab.base.errors import UserError
from tilelab.publish import folder
from tilelab.publish.folder import Content, Written


def write(target: Path, **files: str) -> Written:
    contents = {PurePosixPath(name.replace("__", "/")): text for name, text in files.items()}
    return folder.write(target, {path: Content(text.encode()) for path, text in contents.items()})


def test_a_new_folder_gets_all_files(tmp_path: Path) -> None:
    target = tmp_path / "a" / "b"
    folder.assert_usable(target)
    written = write(target, labs__one="1", readme="hello")
    assert written == Written(added=["labs/one", "readme"])
    assert (target / "labs" / "one").read_text() == "1"


def test_a_program_stays_one(tmp_path: Path) -> None:
    files = {PurePosixPath("run"): Content(b"x", is_program=True), PurePosixPath("a"): Content(b"")}
    folder.write(tmp_path, files)
    assert os.access(tmp_path / "run", os.X_OK)
    assert (tmp_path / "a").stat().st_mode & 0o777 == 0o644


def test_a_folder_with_other_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(UserError, match="publish did not write"):
        folder.assert_usable(tmp_path)
    with pytest.raises(UserError, match=r"thesis\.tex is not a folder"):
        folder.assert_usable(tmp_path / "thesis.tex")


def test_an_update_changes_what_is_ours_and_nothing_else(tmp_path: Path) -> None:
    write(tmp_path, labs__one="1", labs__two="2", same="same", gone__deep="x")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("theirs")
    (tmp_path / "labs" / "two").write_text("work of a student")
    (tmp_path / "notes").write_text("theirs")
    folder.assert_usable(tmp_path)
    written = write(tmp_path, labs__one="1b", labs__two="2b", same="same", notes="ours")
    assert written == Written(
        updated=["labs/one"], removed=["gone/deep"], kept=["labs/two", "notes"]
    )
    assert (tmp_path / "labs" / "two").read_text() == "work of a student"
    assert (tmp_path / "notes").read_text() == "theirs"
    assert (tmp_path / ".git" / "HEAD").read_text() == "theirs"
    assert not (tmp_path / "gone").exists()


def test_what_was_kept_is_kept_again(tmp_path: Path) -> None:
    write(tmp_path, one="1")
    (tmp_path / "one").write_text("mine")
    for _ in range(2):
        assert write(tmp_path, one="1b") == Written(kept=["one"])
    (tmp_path / "one").unlink()
    assert write(tmp_path, one="1b") == Written(added=["one"])


def test_a_changed_file_that_is_no_longer_published_is_kept(tmp_path: Path) -> None:
    write(tmp_path, one="1", two="2")
    (tmp_path / "two").write_text("mine")
    assert write(tmp_path, one="1") == Written(kept=["two"])


def test_an_interrupted_update_goes_on(tmp_path: Path) -> None:
    write(tmp_path, one="1", two="2")
    (tmp_path / "one").write_text("1b")  # written before the interruption, the record was not
    assert write(tmp_path, one="1b", two="2b") == Written(updated=["two"])


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    target = tmp_path / "copy"
    write(target, one="1")
    (tmp_path / "elsewhere").write_text("1")
    (target / "one").unlink()
    (target / "one").symlink_to(tmp_path / "elsewhere")
    assert write(target, one="2") == Written(kept=["one"])
    assert (tmp_path / "elsewhere").read_text() == "1"


def test_a_broken_record_is_one_line(tmp_path: Path) -> None:
    (tmp_path / ".published.json").write_text("{")
    with pytest.raises(UserError, match=r"\.published\.json cannot be read"):
        write(tmp_path, one="1")


def test_a_record_cannot_reach_out_of_the_folder(tmp_path: Path) -> None:
    target, outside = tmp_path / "copy", tmp_path / "precious"
    outside.write_text("x")
    write(target, one="1")
    record = target / ".published.json"
    sha256 = folder.Content(b"x").sha256
    record.write_text(f'{{"files": {{"../precious": "{sha256}"}}}}')
    write(target, one="1")
    assert outside.exists()

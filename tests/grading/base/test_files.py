"""Atomic writes leave the old file or the new one."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tilelab.base.errors import UserError
from tilelab.base.files import KEEP, from_here, make_folder, work_folder, write_atomically

PYTHON = sys.executable


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gradebook.csv"
    path.write_text("old")

    def fail(descriptor: int) -> None:
        raise OSError(errno.ENOSPC, "no space left")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="no space") as caught:
        write_atomically(path, "new")
    assert caught.value.filename == str(path)
    assert path.read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["gradebook.csv"]


@pytest.mark.parametrize("name", ["file", "file/below", "folder", "folder/a/b"])
def test_a_file_where_a_folder_is_to_be_is_one_line(name: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    (tmp_path / "folder").mkdir()
    if name.startswith("folder"):
        make_folder(tmp_path / name)
        assert (tmp_path / name).is_dir()
    else:
        with pytest.raises(UserError, match=rf"{name} is not a folder: name a new one"):
            make_folder(tmp_path / name)
    assert (tmp_path / "file").read_text() == "mine"


def test_a_work_folder_goes_with_its_task(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEEP, raising=False)
    with work_folder() as work:
        (work / "file").touch()
    assert not work.exists()


def test_a_killed_process_leaves_no_work_folder_for_long(tmp_path: Path) -> None:
    """The next process that needs a work folder removes those of the dead, and of nobody else.

    It ends the jails that were made for them, too.
    """
    begin = "from tilelab.base.files import work_folder\nimport time\n"
    hold = begin + "with work_folder() as work:\n print(work, flush=True)\n time.sleep(60)"
    use = begin + "with work_folder(): pass"
    environment = {**os.environ, "TMPDIR": str(tmp_path), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment.pop(KEEP, None)
    holders = [
        subprocess.Popen([PYTHON, "-c", hold], env=environment, stdout=subprocess.PIPE)
        for _ in range(2)
    ]
    killed, alive = (Path(one.stdout.readline().decode().strip()) for one in holders if one.stdout)
    holders[0].kill()
    holders[0].communicate()
    jail, other_jail, editor = (
        subprocess.Popen([name, "-c", "import time; time.sleep(60)", path], executable=PYTHON)
        for name, path in (("bwrap", killed), ("bwrap", alive), ("editor", killed))
    )
    subprocess.run([PYTHON, "-c", use], env=environment, check=True)
    assert not killed.parent.exists() and alive.exists()
    assert list(tmp_path.iterdir()) == [alive.parent]
    assert jail.wait() == -signal.SIGKILL
    assert other_jail.poll() is None and editor.poll() is None
    for one in (holders[1], other_jail, editor):
        one.kill()
        one.communicate()


def test_a_work_folder_stays_where_that_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEEP, str(tmp_path / "kept"))
    with work_folder() as work:
        (work / "file").touch()
    assert work.parent == tmp_path / "kept" and (work / "file").is_file()


def test_a_path_is_named_from_the_current_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert from_here(tmp_path / "labs" / "diff.cu") == Path("labs/diff.cu")
    assert from_here(tmp_path.parent / "diff.cu") == tmp_path.parent / "diff.cu"
    assert from_here(Path("my/diff.cu")) == Path("my/diff.cu")

"""The launcher in a repository of somebody else's, and when what it made earlier is gone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from launched import System, files

pytestmark = pytest.mark.drawn(pool="shared repositories", count=2)


class Shared(System):
    """A repository of somebody else's, and a user with a home."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.home = folder / "home"
        self.home.mkdir()

    @property
    def env(self) -> dict[str, str]:
        return super().env | {"HOME": str(self.home)}

    @property
    def own(self) -> Path:
        """The user's folder for this repository."""
        (found,) = (self.home / ".cache" / "tilelab").iterdir()
        return found


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


@pytest.fixture
def shared(tmp_path: Path) -> Shared:
    system = Shared(tmp_path)
    # Python writes these next to its modules, where it may.
    system.script("python3", f'exec "{sys.executable}" -B "$@"')
    return system


def test_another_user_changes_nothing_and_is_told_once_where_things_go(shared: Shared) -> None:
    shared.give_away()
    before = files(shared.repo)
    first = shared.run("list")
    assert first.returncode == 0
    assert f"this repository is not yours to change; using {shared.own}" in first.stderr
    assert (shared.own / "build" / "python" / "ready").exists()
    assert files(shared.repo) == before
    second = shared.run("list")
    assert (second.returncode, second.stderr) == (0, "")


def test_the_environment_of_somebody_else_stays(shared: Shared) -> None:
    half = shared.repo / "build" / "python" / "bin"
    half.mkdir(parents=True)
    shared.give_away()
    assert shared.run("list").returncode == 0
    assert half.exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_an_environment_of_somebody_else_in_an_own_repository_stays(shared: Shared) -> None:
    # As sudo leaves it.
    (shared.repo / "build" / "python" / "bin").mkdir(parents=True)
    os.chown(shared.repo / "build" / "python", 65534, 65534)
    assert shared.run("list").returncode == 0
    assert (shared.repo / "build" / "python" / "bin").exists()
    assert (shared.own / "build" / "python" / "ready").exists()


def test_a_complete_environment_of_the_owner_is_used(shared: Shared) -> None:
    owners = shared.repo / "build" / "python" / "bin" / "python"
    owners.parent.mkdir(parents=True)
    shutil.copy(shared.bin / "python3", owners)
    shared.script("python3", "exit 1")
    shared.give_away()
    result = shared.run("list")
    assert result.returncode == 0
    assert "making a Python environment" not in result.stderr


def test_the_user_s_folder_is_where_xdg_says(shared: Shared, tmp_path: Path) -> None:
    shared.give_away()
    cache = tmp_path / "a cache"
    env = shared.env | {"XDG_CACHE_HOME": str(cache)}
    assert subprocess.run([shared.repo / "tilelab", "list"], env=env).returncode == 0
    assert len(list((cache / "tilelab").iterdir())) == 1
    assert not (shared.home / ".cache").exists()


def test_two_repositories_have_a_folder_each(shared: Shared, tmp_path: Path) -> None:
    shared.give_away()
    other = tmp_path / "other"
    shutil.copytree(shared.repo, other, copy_function=shutil.copy)
    first = Shared.run(shared, "list")
    shared.repo = other
    shared.give_away()
    assert first.returncode == shared.run("list").returncode == 0
    assert len(list((shared.home / ".cache" / "tilelab").iterdir())) == 2


@pytest.mark.parametrize("cache", ["/dev/null/cache", "/proc/cache"])
def test_a_cache_folder_that_cannot_be_written_is_one_line(shared: Shared, cache: str) -> None:
    shared.give_away()
    env = shared.env | {"XDG_CACHE_HOME": cache}
    result = subprocess.run(
        [shared.repo / "tilelab", "list"], env=env, capture_output=True, text=True
    )
    assert result.returncode == 3
    assert result.stderr.startswith(f"tilelab: cannot write to {cache}/tilelab/")
    assert result.stderr.endswith("or set XDG_CACHE_HOME to a folder of yours.\n")
    assert result.stderr.count("\n") == 1


def test_a_full_disk_is_named(shared: Shared) -> None:
    # No interpreter has typer, so an environment has to be made, for which there is no room.
    shared.script(
        "python3",
        'case $* in "-m venv "*) echo a traceback >&2; exit 1 ;; esac\n'
        "case $* in *requirements.py*) exit 1 ;; esac\nexit 0",
    )
    shared.script("head", "exit 1")
    result = shared.run("list")
    assert result.returncode == 3
    assert f"cannot write to {shared.repo}: its disk is full" in result.stderr
    assert "traceback" not in result.stderr


def test_first_starts_at_the_same_time_take_turns(shared: Shared) -> None:
    shared.give_away()
    with ThreadPoolExecutor(4) as pool:
        results = list(pool.map(lambda _: shared.run("list"), range(4)))
    assert [one.returncode for one in results] == [0] * 4
    assert sum("not yours to change" in one.stderr for one in results) == 1


def test_an_upgrade_of_the_owner_s_is_followed(shared: Shared) -> None:
    shared.give_away()
    assert shared.run("list").returncode == 0
    before = (shared.own / "build" / "python" / "ready").read_text()
    with (shared.repo / "pyproject.toml").open("a") as file:
        file.write("# newer\n")
    assert shared.run("list").returncode == 0
    after = (shared.own / "build" / "python" / "ready").read_text()
    assert before != after


def test_a_python_that_is_gone_is_replaced(system: System) -> None:
    assert system.run("list").returncode == 0
    before = system.ready.read_text()
    system.ready.write_text(before.replace(before.splitlines()[0], "/nowhere/python3"))
    assert system.run("list").returncode == 0
    assert system.ready.read_text() == before


@pytest.mark.parametrize(
    ("manager", "command"),
    [
        ("dnf", "sudo dnf install -y gcc-c++ ninja-build catch-devel"),
        ("pacman", "sudo pacman -S --needed gcc ninja catch2"),
    ],
)
def test_other_systems_get_their_own_command(system: System, manager: str, command: str) -> None:
    for tool in ("ninja", "g++"):  # without a compiler there is no Catch2 either
        (system.bin / tool).unlink()
    system.script(manager, "exit 1")
    result = system.run("doctor")
    assert result.returncode == 1
    assert f"  {command}\n" in result.stderr


@pytest.mark.parametrize(
    ("kernel", "says"), [("Darwin", "Use the container"), ("MINGW64_NT-10.0", "Use WSL2")]
)
def test_what_is_no_linux_is_told_what_to_use(system: System, kernel: str, says: str) -> None:
    system.script("uname", f"echo {kernel}")
    result = system.run("doctor")
    assert result.returncode == 1
    assert says in result.stderr
    assert result.stderr.count("\n") == 1

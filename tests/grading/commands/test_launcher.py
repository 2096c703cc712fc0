"""The launcher on systems that lack something, in a copy of what it needs."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from launched import System
from tilelab.base import locked

pytestmark = pytest.mark.drawn(pool="commands of the launcher", count=3)


@pytest.fixture
def system(tmp_path: Path) -> System:
    return System(tmp_path)


def test_the_first_start_notes_what_the_second_uses(system: System) -> None:
    assert system.run("list").returncode == 0
    interpreter = system.ready.read_text().splitlines()[0]
    assert Path(interpreter).samefile(sys.executable)
    system.script("python3", "exit 1")
    system.script("cmake", "exit 1")
    second = system.run("list")
    assert (second.returncode, second.stderr) == (0, "")


@pytest.mark.parametrize("content", ["", "x\n", f"{sys.executable}\nrun\n/nowhere\n1 2;\n"])
def test_a_note_that_does_not_hold_is_written_again(system: System, content: str) -> None:
    assert system.run("list").returncode == 0
    before = system.ready.read_text()
    system.ready.write_text(content)
    assert system.run("list").returncode == 0
    assert system.ready.read_text() == before


def test_without_rights_it_prints_the_one_command(system: System) -> None:
    system.script("apt-get", "exit 1")
    (system.bin / "ninja").unlink()
    (system.bin / "bwrap").unlink()
    result = system.run("doctor")
    assert result.returncode == 1
    assert "ninja-build builds the tests" in result.stderr
    assert (
        "sudo apt-get update && sudo apt-get install -y --no-install-recommends "
        "ninja-build bubblewrap\n"
    ) in result.stderr
    assert not system.ready.exists()


def test_without_apt_it_names_what_is_missing(system: System) -> None:
    (system.bin / "cmake").unlink()
    result = system.run("doctor")
    assert result.returncode == 1
    assert "this system has no apt-get. Install its packages for: cmake" in result.stderr


def test_old_versions_count_as_missing(system: System) -> None:
    system.script("cmake", "echo cmake version 3.22.1")
    result = system.run("doctor")
    assert result.returncode == 1
    assert "cmake builds the tests (version 3.25 or later)" in result.stderr


def test_it_installs_once_and_goes_on(system: System, tmp_path: Path) -> None:
    log = tmp_path / "log"
    ninja = (system.bin / "ninja").read_text()
    (system.bin / "ninja").unlink()
    system.script("id", "echo 0")
    system.script(
        "apt-get",
        f'echo "$DEBIAN_FRONTEND $*" >> {log}\n'
        f"case $* in *ninja-build*) cat > {system.bin}/ninja <<'E'\n{ninja}E\n"
        f"chmod +x {system.bin}/ninja;; esac",
    )
    system.script("chmod", f'exec {shutil.which("chmod")} "$@"')
    assert system.run("list").returncode == 0
    assert log.read_text().splitlines() == [
        "noninteractive -qq update",
        "noninteractive -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends ninja-build",
    ]
    assert system.run("list").returncode == 0
    assert len(log.read_text().splitlines()) == 2


def test_a_missing_sandbox_is_a_warning(system: System) -> None:
    (system.bin / "bwrap").unlink()
    result = system.run("list")
    assert result.returncode == 0
    assert "continuing without bubblewrap" in result.stderr


LOCKED = "E: Could not get lock /var/lib/dpkg/lock-frontend. It is held by process 7 (apt-get)"


def test_it_waits_for_another_apt(system: System, tmp_path: Path) -> None:
    log = tmp_path / "log"
    (system.bin / "bwrap").unlink()
    system.script("id", "echo 0")
    system.script("sleep", "exit 0")
    system.script(
        "apt-get",
        f"echo x >> {log}\n"
        f"case $(cat {log}) in *x*x*x*) ;; *) echo '{LOCKED}' >&2; exit 100;; esac\n"
        f"case $* in *bubblewrap*) cp {system.bin}/ninja {system.bin}/bwrap;; esac",
    )
    system.script("cp", f'exec {shutil.which("cp")} "$@"')
    result = system.run("list")
    assert result.returncode == 0
    assert result.stderr.count("another program is installing packages; waiting for it") == 1
    assert "continuing without bubblewrap" not in result.stderr
    assert "Could not get lock" not in result.stderr


def test_the_user_s_folder_stays_as_it_is(system: System, tmp_path: Path) -> None:
    os.symlink(system.repo / "tilelab", tmp_path / "link")
    assert system.run("list").returncode == 0
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    result = subprocess.run(
        ["../link", "check", "nope"], cwd=folder, env=system.env, capture_output=True
    )
    assert result.returncode == 2
    assert list(folder.iterdir()) == []


def test_docs_install_what_they_need_and_say_so(system: System, tmp_path: Path) -> None:
    log = tmp_path / "log"
    system.script("id", "echo 0")
    system.script("apt-get", f'echo "$*" >> {log}')
    result = system.run("docs")
    assert "doxygen describes the API" in result.stderr
    assert "--no-install-recommends doxygen" in log.read_text()
    # This one installs nothing, so the command says what to do.
    assert result.returncode == 2
    assert "the documentation needs doxygen" in result.stderr


def test_docs_without_rights_install_nothing(system: System) -> None:
    system.script("apt-get", "exit 1")
    result = system.run("docs")
    assert result.returncode == 2
    assert "sudo apt-get" in result.stderr or os.geteuid() == 0
    assert "installing" not in result.stderr


def test_a_command_that_needs_more_packages_gets_them_and_others_use_them(system: System) -> None:
    system.bare_python()
    system.pip_installs(without="hypothesis")
    assert system.run("list").returncode == 0
    assert system.pip_calls == [locked.text("run")]
    assert system.ready.read_text().splitlines()[1] == "run"
    system.pip_installs()
    # The copy has no tests to run.
    assert "No such option" in system.run("test", "--nonsense").stderr
    assert system.pip_calls[1:] == [locked.text("run", "test")]
    for command in ("list", "test", "list"):
        system.run(command, "--nonsense")
    assert len(system.pip_calls) == 2
    assert system.ready.read_text().splitlines()[1] == "test"


def test_lint_asks_for_the_pinned_linters(system: System) -> None:
    system.bare_python()
    system.pip_installs(without="ruff")
    system.run("lint", "--nonsense")
    assert system.pip_calls == [locked.text("run", "test", "lint")]


def test_nvcc_is_looked_for_once_and_again_by_doctor(system: System, tmp_path: Path) -> None:
    log = tmp_path / "log"
    (system.repo / "grading" / "tilelab" / "setup" / "nvcc.py").write_text(
        "import pathlib\n"
        f"with open({str(log)!r}, 'a') as log:\n    log.write('looked\\n')\n"
        f"note = pathlib.Path({str(system.repo)!r}, 'build', 'nvcc', 'asked')\n"
        "note.parent.mkdir(exist_ok=True)\nnote.touch()\n"
    )
    assert system.run("list").returncode == 0
    assert not log.exists()  # declined
    wanting = {"PATH": str(system.bin)}
    for command, times in (("list", 1), ("list", 1), ("doctor", 2), ("--help", 2)):
        subprocess.run([system.repo / "tilelab", command], env=wanting, capture_output=True)
        assert log.read_text() == "looked\n" * times


def test_a_machine_whose_nvcc_cannot_be_looked_for_goes_on(system: System) -> None:
    (system.repo / "grading" / "tilelab" / "setup" / "nvcc.py").write_text("raise SystemExit(1)\n")
    result = subprocess.run(
        [system.repo / "tilelab", "list"], env={"PATH": str(system.bin)}, capture_output=True
    )
    assert result.returncode == 0

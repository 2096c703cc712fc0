"""The launcher says what this system lacks, and installs it only if it may."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from launched import System
from pseudo_terminal import Terminal

pytestmark = pytest.mark.drawn(pool="the launcher's questions", count=2)

COMMAND = (
    "sudo apt-get update && sudo apt-get install -y --no-install-recommends ninja-build bubblewrap"
)


class Lacking(System):
    """A Debian without ninja and bubblewrap, whose apt-get installs them."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.log = folder / "apt"
        for tool in ("chmod", "cp"):
            self.tool(tool)
        for name in ("ninja", "bwrap"):
            (self.bin / name).rename(folder / name)
        self.script("sudo", 'case $1 in -n) shift ;; esac\nexec "$@"')
        self.script(
            "apt-get",
            f'echo "$*" >>{self.log}\n'
            f"case $* in *ninja-build*) cp {folder}/ninja {self.bin} ;; esac\n"
            f"case $* in *bubblewrap*) cp {folder}/bwrap {self.bin} ;; esac",
        )

    @property
    def was_installed(self) -> bool:
        return self.log.exists()


@pytest.fixture
def system(tmp_path: Path) -> Lacking:
    return Lacking(tmp_path)


@pytest.fixture
def terminal(system: Lacking, tmp_path: Path) -> Iterator[Terminal]:
    argv = ["env", "-i", f"PATH={system.bin}", "TILELAB_NVCC=none"]
    opened = Terminal([*argv, str(system.repo / "tilelab"), "list"], tmp_path, system.repo)
    yield opened
    opened.close()


def test_enter_is_yes(terminal: Terminal, system: Lacking) -> None:
    said = terminal.wait_for("run it now? [Y/n]")
    assert "ninja-build builds the tests" in said
    assert "bubblewrap sandboxes submissions (optional)" in said
    assert f"  {COMMAND}\r\n" in said
    assert not system.was_installed
    terminal.press("\r")
    assert terminal.has_ended() == 0
    assert "install" in system.log.read_text()


@pytest.mark.parametrize("answer", ["n\r", "no\r", "\x04"])
def test_anything_but_yes_is_no(terminal: Terminal, system: Lacking, answer: str) -> None:
    terminal.wait_for("run it now? [Y/n]")
    terminal.press(answer)
    terminal.wait_for("not installed. Run that command, then try again")
    assert terminal.has_ended() == 1
    assert not system.was_installed


def test_a_user_without_a_terminal_is_told_what_to_run(system: Lacking) -> None:
    result = system.run("list")
    assert result.returncode == 1
    assert f"  {COMMAND}\n" in result.stderr
    assert result.stderr.endswith("tilelab: not installed. Run that command, then try again\n")
    assert not system.was_installed


def test_yes_agrees_in_advance(system: Lacking) -> None:
    result = system.run("--yes", "list")
    assert result.returncode == 0, result.stderr
    assert "tilelab: installing packages with apt-get, which can take a minute\n" in result.stderr
    assert system.was_installed


def test_yes_after_the_command_is_the_command_s(system: Lacking) -> None:
    assert system.run("list", "--yes").returncode == 1
    assert not system.was_installed
    assert system.run("--yes", "list", "--yes").returncode == 2  # `list` has no such option


def test_root_needs_no_terminal(system: Lacking) -> None:
    system.script("id", "echo 0")
    assert system.run("list").returncode == 0
    assert system.was_installed


@pytest.mark.parametrize("sign", ["dockerenv", "containerenv", "variable"])
def test_a_container_is_there_for_this(system: Lacking, tmp_path: Path, sign: str) -> None:
    if sign != "variable":
        (tmp_path / sign).touch()
    env = {"container": "podman"} if sign == "variable" else {}
    assert system.run("list", env=env).returncode == 0
    assert system.was_installed


@pytest.mark.parametrize("words", ["list", "--yes list"])
def test_it_can_be_declined_for_good(system: Lacking, words: str) -> None:
    system.script("id", "echo 0")
    result = system.run(*words.split(), env={"TILELAB_INSTALL": "no"})
    assert result.returncode == 1
    assert f"  {COMMAND.replace('sudo ', '')}\n" in result.stderr
    assert not system.was_installed


def test_a_sandbox_that_was_declined_is_not_asked_for_again(system: Lacking) -> None:
    system.tool("ninja")
    first = system.run("list")
    assert first.returncode == 0
    assert "continuing without bubblewrap" in first.stderr
    # As root it could be installed now. The old launcher did, from time to time.
    system.script("id", "echo 0")
    second = system.run("list")
    assert (second.returncode, second.stderr) == (0, "")
    assert not system.was_installed


def test_docs_ask_like_everything_else(system: Lacking) -> None:
    for tool in ("ninja", "bwrap"):
        system.tool(tool)
    result = system.run("docs")
    assert "doxygen describes the API" in result.stderr
    assert not system.was_installed
    system.run("--yes", "docs")
    assert "doxygen" in system.log.read_text()


def test_an_installation_that_was_interrupted_is_finished(system: Lacking, tmp_path: Path) -> None:
    system.script("sleep", "exit 0")
    system.script("dpkg", f"echo $* >>{tmp_path}/dpkg")
    apt = (system.bin / "apt-get").read_text().partition("\n")[2]
    system.script(
        "apt-get",
        f"[ -e {tmp_path}/dpkg ] || {{\n"
        "echo \"E: dpkg was interrupted, you must manually run 'sudo dpkg --configure -a'\" >&2\n"
        f"exit 100\n}}\n{apt}",
    )
    result = system.run("--yes", "list")
    assert result.returncode == 0, result.stderr
    assert "an earlier installation was interrupted; finishing it" in result.stderr
    assert (tmp_path / "dpkg").read_text() == "--configure -a\n"


def test_an_old_python_is_one_line(tmp_path: Path) -> None:
    system = System(tmp_path)
    system.script("apt-get", f"echo $* >>{tmp_path}/apt")
    system.script("python3", "case $1 in --version) echo Python 3.10.12 ;; *) exit 1 ;; esac")
    system.script("id", "echo 0")
    result = system.run("list")
    assert result.returncode == 1
    assert result.stderr == (
        "tilelab: Python 3.10.12 is too old. Install Python 3.11 or later next to it, such as the "
        "packages python3.12 and python3.12-venv, or use the container: "
        f"{system.repo}/README.md says how\n"
    )
    assert not (tmp_path / "apt").exists()
    # A newer one next to it is used.
    system.script("python3.12", f'exec "{sys.executable}" "$@"')
    assert system.run("list").returncode == 0

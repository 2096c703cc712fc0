"""Where a student is in the course, a lab begun anew, a solution that opens, and the Tab key."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import typed
from support import REPO
from tilelab.app import COMMANDS
from tilelab.labs import lab
from tilelab.tutor import progress
from tilelab.tutor.progress import Progress


class Clone:
    """A copy of what the commands of this file need, so that they may edit it."""

    def __init__(self, folder: Path) -> None:
        self.repo = folder / "repo"
        for part in ("labs", "solutions", "grading/tilelab"):
            shutil.copytree(REPO / part, self.repo / part)
        for name in lab.all_labs():
            shutil.copy(lab.load(name).pristine, lab.load(name, self.repo).skeleton)
        self.skeleton = self.repo / "labs" / "diff" / "diff.cu"

    def run(self, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
        return typed.run(*arguments, env=typed.environment(self.repo, columns=80, **more))

    def files(self) -> list[str]:
        return sorted(path.name for path in self.skeleton.parent.iterdir())


@pytest.fixture
def clone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Clone:
    monkeypatch.setenv("TILELAB_PROGRESS", str(tmp_path / "progress"))
    return Clone(tmp_path)


def test_without_a_command_the_course_is_shown(clone: Clone) -> None:
    result = clone.run()
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == clone.run("list").stdout
    names = [one.name for one in lab.course(clone.repo)]
    places = [result.stdout.index(f" {name} ") for name in names]
    assert places == sorted(places)
    assert "not checked yet" in result.stdout
    said = " ".join(result.stdout.split())
    assert f"Next: start {names[0]}: read labs/{names[0]}/README.md" in said
    lines = result.stdout.splitlines()
    assert len(lines) <= 18 + len(names) and max(map(len, lines)) <= 80


def test_the_course_shows_tasks_points_and_what_to_do_next(clone: Clone) -> None:
    for name in lab.all_labs():
        if name not in ("diff", "nbody"):
            progress.save(name, Progress("passed"))
    progress.save(
        "diff",
        Progress("failed", task=3, done=2, points={"correctness": (16, 40), "safety": (0, 10)}),
    )
    shown = clone.run("list").stdout
    row = next(line for line in shown.splitlines() if " diff " in line)
    assert row.startswith(">")
    assert "2 of 4" in row and "16 / 50 (+50 not run)" in row and "TODO 3" in row
    assert "Next: TODO 3 of diff, Wait for the tile." in shown
    assert "./tilelab watch diff" in shown

    progress.save("diff", Progress("passed"))
    assert "Next: start nbody" in clone.run("list").stdout
    progress.save("nbody", Progress("passed"))
    assert "You have passed every lab" in clone.run("list").stdout


def test_reset_restores_the_skeleton_and_keeps_every_file(clone: Clone) -> None:
    pristine = clone.skeleton.read_text()
    assert "already as you got it" in clone.run("reset", "diff").stdout
    before = clone.files()

    progress.save("diff", Progress("failed", task=3, given={3: 2}, solved=True))
    for number in (1, 2):
        clone.skeleton.write_text(f"version {number}\n")
        assert f"labs/diff/diff.backup-{number}.cu" in clone.run("reset", "diff").stdout
        assert clone.skeleton.read_text() == pristine
    kept = {f"diff.backup-{number}.cu": f"version {number}\n" for number in (1, 2)}
    assert clone.files() == sorted([*before, *kept])
    for name, text in kept.items():
        assert clone.skeleton.with_name(name).read_text() == text
    assert progress.load("diff") == Progress(solved=True)


def test_reset_works_without_the_file_and_says_if_it_cannot(clone: Clone) -> None:
    pristine = clone.skeleton.read_text()
    clone.skeleton.unlink()
    assert clone.run("reset", "diff").returncode == 0
    assert clone.skeleton.read_text() == pristine

    clone.skeleton.write_text("mine\n")
    clone.skeleton.with_name(".skeleton.cu").unlink()
    result = clone.run("reset", "diff")
    assert result.returncode == 2 and "nothing to restore" in result.stderr
    assert clone.skeleton.read_text() == "mine\n"


def test_a_solution_opens_when_the_results_are_right(clone: Clone) -> None:
    closed = clone.run("solution", "diff")
    assert closed.returncode == 1
    assert "Nothing of yours has been tested yet" in closed.stdout

    progress.save("diff", Progress("failed", points={"correctness": (16, 40), "memory": (0, 20)}))
    closed = clone.run("solution", "diff")
    assert closed.returncode == 1
    assert "correctness (16 of 40 points)" in closed.stdout and "memory" not in closed.stdout

    progress.save("diff", Progress("failed", points={"memory": (0, 20)}, solved=True))
    opened = clone.run("solution", "diff")
    assert opened.returncode == 0
    assert (REPO / "solutions" / "diff" / "diff.cu").read_text() in opened.stdout
    assert "solutions/diff/ladder" in opened.stdout


@pytest.mark.drawn(pool="helps", count=4)
@pytest.mark.parametrize("arguments", [[], *([name] for name in COMMANDS)])
def test_every_command_has_a_short_help(clone: Clone, arguments: list[str]) -> None:
    short, long = clone.run(*arguments, "-h"), clone.run(*arguments, "--help")
    assert short.returncode == 0 and short.stdout == long.stdout
    assert "Usage: tilelab" in short.stdout


def test_the_list_of_commands_fits_a_small_terminal(clone: Clone) -> None:
    lines = clone.run("-h", COLUMNS="80").stdout.splitlines()
    assert len(lines) <= 22 and max(map(len, lines)) <= 80
    assert not [line for line in lines if "..." in line and "COMMAND" not in line]
    described, _, others = "\n".join(lines).partition("Commands:\n")[2].partition("\n\n")
    names = [line.split()[0] for line in described.splitlines()]
    for listed in " ".join(others.split()).rstrip(".").split(". "):
        names += listed.partition(": ")[2].split(", ")
    assert names == list(COMMANDS)


def completed(clone: Clone, *words: str) -> list[str]:
    line = " ".join(("./tilelab", *words))
    result = clone.run(
        COMP_WORDS=line, COMP_CWORD=str(len(words)), _TILELAB_COMPLETE="complete_bash"
    )
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout.split()


def test_the_tab_key_completes_commands_labs_and_backends(clone: Clone) -> None:
    assert completed(clone, "wa") == ["watch"]
    assert completed(clone, "check", "n") == [one for one in lab.all_labs() if one[0] == "n"]
    for command in ("check", "watch", "reset", "solution", "hint", "quiz", "profile"):
        assert completed(clone, command, "dif") == ["diff"]
    assert completed(clone, "check", "--backend", "emulator-c") == ["emulator-clang"]


def test_the_shells_get_a_script(clone: Clone) -> None:
    # The script is for the shell that runs the command.
    environment = typed.environment(clone.repo)
    bash = ["bash", "-c", '"$@"; exit', "bash", *typed.command("--show-completion")]
    script = subprocess.run(bash, env=environment, capture_output=True, text=True).stdout
    assert "complete -o default -F" in script and "tilelab" in script

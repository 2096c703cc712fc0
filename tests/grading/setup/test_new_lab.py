"""`new-lab` asks in a terminal, takes options elsewhere, and leaves nothing half-written."""

from __future__ import annotations

import itertools
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import typed
from pseudo_terminal import Terminal
from support import REPO, needs_terminal
from tilelab.base.errors import UserError
from tilelab.maintain.linters import LINTERS
from tilelab.setup import lab_choices, lab_template
from tilelab.setup.lab_choices import Choices

PLACES = ("labs", "solutions", "tests/labs")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """What the command needs, and a course of one lab."""
    repo = tmp_path / "repo"
    caches = shutil.ignore_patterns("__pycache__")
    shutil.copytree(REPO / "grading" / "tilelab", repo / "grading" / "tilelab", ignore=caches)
    # Names that mean something else are known from these.
    for taken in ("runtime/abi_symbols.txt", "observer/hooks/redirected_symbols"):
        place = repo / "common" / "emulator" / taken
        place.parent.mkdir(parents=True)
        shutil.copy(REPO / "common" / "emulator" / taken, place)
    (repo / "labs" / "diff").mkdir(parents=True)
    shutil.copy(REPO / "labs" / "diff" / "lab.toml", repo / "labs" / "diff")
    return repo


def run(repo: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return typed.run("new-lab", *arguments, cwd=repo, env=typed.environment(repo))


def labs_of(repo: Path) -> list[str]:
    """What lies in the three folders of a lab."""
    return sorted(path.name for place in PLACES for path in (repo / place).glob("*"))


def written(repo: Path, name: str) -> dict[str, Any]:
    return tomllib.loads((repo / "labs" / name / "lab.toml").read_text(encoding="utf-8"))


@pytest.fixture
def terminal(copy: Path, tmp_path: Path) -> Iterator[Terminal]:
    made = Terminal(typed.command("new-lab"), tmp_path / "progress", copy)
    yield made
    made.close()


@needs_terminal
def test_it_asks_for_what_it_needs(terminal: Terminal, copy: Path) -> None:
    terminal.wait_for("Name, such as matrix_transpose:")
    terminal.press("diff\n")
    terminal.wait_for("labs/diff already exists: choose another name", "Name, such")
    terminal.press("Row Sum\n")
    terminal.wait_for("'Row Sum' cannot be a lab's name", "Name, such")
    terminal.press("row_sum\n")
    terminal.wait_for("Title [Row sum]:")
    terminal.press('"Sums"\n')
    terminal.wait_for('a title cannot have "', "Title [Row sum]:")
    terminal.press("Sums of rows\n")
    terminal.wait_for("After which lab (first, diff) [diff]:")
    terminal.press("nobody\n")
    terminal.wait_for("there is no lab 'nobody'; the answers are: first, diff", "After which")
    terminal.press("first\n")
    terminal.wait_for("Elements (float, double, int) [float]:")
    terminal.press("half\n")
    terminal.wait_for("an element is one of: float, double, int", "Elements")
    terminal.press("double\n")
    terminal.wait_for("Does speed give points? It needs a GPU (yes, no) [yes]:")
    terminal.press("perhaps\n")
    terminal.wait_for("answer yes or no", "Does speed")
    terminal.press("n\n")
    terminal.wait_for("Points for correctness, safety, memory [50 20 30]:")
    terminal.press("50 20 40\n")
    terminal.wait_for("the points of a lab add up to 100; these make 110", "Points for")
    assert labs_of(copy) == ["diff"]
    terminal.press("\n")
    terminal.wait_for("Wrote labs/row_sum/row_sum.cu", "run ./tilelab verify row_sum")
    assert terminal.has_ended() == 0
    data = written(copy, "row_sum")
    assert (data["title"], data["order"]) == ("Sums of rows", 0)
    assert set(data["criteria"]) == {"correctness", "safety", "memory"}
    assert "const double* in" in (copy / "labs" / "row_sum" / "row_sum.h").read_text()


@needs_terminal
@pytest.mark.parametrize("key", ["\x03", "\x04"])
def test_who_stops_leaves_nothing_behind(terminal: Terminal, copy: Path, key: str) -> None:
    terminal.wait_for("Name, such")
    terminal.press("row_sum\n")
    terminal.answer("Title [Row sum]:", key)
    terminal.wait_for("Stopped. Nothing was written.")
    assert terminal.has_ended() == 1
    assert labs_of(copy) == ["diff"]


@needs_terminal
def test_it_asks_only_for_what_no_option_says(copy: Path, tmp_path: Path) -> None:
    options = "row_sum --title Sums --after diff --element int --speed".split()
    terminal = Terminal(typed.command("new-lab", *options), tmp_path / "progress", copy)
    try:
        said = terminal.wait_for("Points for correctness, safety, memory, speed [40 10 20 30]:")
        assert said.count("?") == said.count("[") - 1 == 0
        terminal.press("25 25 25 25\n")
        assert terminal.wait_for("Next: ") and terminal.has_ended() == 0
    finally:
        terminal.close()
    assert written(copy, "row_sum")["order"] == 2


def test_without_a_terminal_it_takes_the_usual(copy: Path) -> None:
    made = run(copy, "row_sum")
    assert (made.returncode, made.stderr) == (0, "")
    data = written(copy, "row_sum")
    assert (data["title"], data["order"]) == ("Row sum", 2)
    points = {key: one["points"] for key, one in data["criteria"].items()}
    assert points == {"correctness": 40, "safety": 10, "memory": 20, "speed": 30}


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ([], "say the lab's name: ./tilelab new-lab NAME"),
        (["diff"], "labs/diff already exists: choose another name"),
        (["x", "--title", "a|b"], "a title cannot have |: use letters"),
        (["x", "--after", "y\x1b"], r"there is no lab 'y\x1b'; the answers are: first, diff"),
        (["x", "--element", "char"], "an element is one of: float, double, int"),
        (["x", "--no-speed", "--points", "40 10 20 30"], "points are 3 whole numbers above 0"),
    ],
)
def test_a_bad_option_is_one_line_and_writes_nothing(
    copy: Path, arguments: list[str], says: str
) -> None:
    result = run(copy, *arguments)
    assert result.returncode == 2 and result.stderr.count("\n") == 1
    assert says in result.stderr
    assert labs_of(copy) == ["diff"]


@pytest.mark.parametrize("stopped_by", [KeyboardInterrupt, OSError(28, "No space left on device")])
def test_what_is_half_written_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped_by: BaseException
) -> None:
    really = Path.write_text

    def write(path: Path, text: str, **more: str) -> int:
        if path.name == "judge.cpp":
            raise stopped_by
        return really(path, text, **more)

    monkeypatch.setattr(Path, "write_text", write)
    with pytest.raises((KeyboardInterrupt, UserError)):
        lab_template.make("row_sum", choices("float", is_timed=True), tmp_path)
    assert labs_of(tmp_path) == []


def test_a_lab_that_comes_up_meanwhile_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "solutions" / "row_sum").mkdir(parents=True)
    monkeypatch.setattr(lab_template, "assert_usable", lambda *_: None)
    with pytest.raises(UserError, match=r"solutions/row_sum: File exists"):
        lab_template.make("row_sum", choices("float", is_timed=True), tmp_path)
    assert labs_of(tmp_path) == ["row_sum"]


def choices(element: str, *, is_timed: bool) -> Choices:
    points = lab_choices.points_of(lab_choices.usual_points(is_timed=is_timed), is_timed=is_timed)
    return Choices("Sums of rows", 2, element, points)


def test_each_answer_gives_files_that_need_no_formatting(tmp_path: Path) -> None:
    formatter = next(one for one in LINTERS if one.name == "clang-format")
    if missing := formatter.missing():
        pytest.skip(missing)
    names = ("x", "row_sum", "a_name_of_two_and_thirty_letters")
    made = []
    for number, (element, is_timed, name) in enumerate(
        itertools.product(lab_choices.ELEMENTS, (True, False), names)
    ):
        repo = tmp_path / str(number)
        for path in lab_template.make(name, choices(element, is_timed=is_timed), repo):
            text = (repo / path).read_text()
            assert not any(word in text for word in ("LAB_NAME", "ELEMENT", "_VALUE", "//%", "{%"))
            assert not any(line.endswith(" ") for line in text.splitlines())
            made.append(repo / path)
    shutil.copy(REPO / ".clang-format", tmp_path)
    sources = [path for path in made if path.suffix in (".cu", ".h", ".cpp")]
    assert len(sources) == 18 * 18
    checked = subprocess.run(
        [sys.executable, "-P", *formatter.arguments, *sources],
        capture_output=True,
        text=True,
    )
    assert checked.returncode == 0, checked.stderr

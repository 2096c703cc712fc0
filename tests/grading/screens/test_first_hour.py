"""The pages with screens of 80 x 24: their edits can be made, and no screen is too large.

tests/measure/first_hour makes the pages, which takes minutes. This tests its parts.
"""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

import pytest

from support import REPO
from tilelab.labs import lab
from tilelab.tutor import aim

sys.path.insert(0, str(REPO / "tests" / "measure" / "first_hour"))
import first_hour
import verdicts
from edits import edited, shown
from machine import machine
from terminal import COLUMNS, LINES, Screen, Terminal

STEPS, ROWS = first_hour.steps(), verdicts.rows()
_SCREEN = re.compile(r"^```text\n(.*?)\n```$", re.DOTALL | re.MULTILINE)


def test_the_hour_ends_with_every_task_done() -> None:
    texts = {name: lab.load(name).pristine.read_text() for name in ("first_kernel", "diff")}
    for step in STEPS:
        texts[step.lab] = edited(texts[step.lab], step.change)
    for name, text in texts.items():
        assert not aim.todos(text) and "(void)" not in text
        assert not any(aim.is_undone(task, lab.load(name), text) for task in lab.load(name).tasks)


def test_the_hour_can_be_read_in_five_minutes() -> None:
    assert 10 <= len(STEPS) <= 14
    assert [step.lab for step in STEPS] == sorted((step.lab for step in STEPS), reverse=True)


def test_every_verdict_has_a_file() -> None:
    assert len({row.title for row in ROWS}) == len(ROWS)
    for row in ROWS:
        assert bool(row.change) == (verdicts.text_of(row, REPO) != (REPO / row.file).read_text())
    # What a row breaks stays broken, so it must be the last one.
    assert not any(row.before for row in ROWS[:-1])


@pytest.mark.parametrize("page", [first_hour.PAGE, verdicts.PAGE], ids=lambda path: path.stem)
def test_every_screen_of_a_page_fits(page: Path) -> None:
    screens = _SCREEN.findall(page.read_text())
    assert len(screens) == len(STEPS if page == first_hour.PAGE else ROWS)
    for screen in screens:
        lines = tuple(screen.splitlines())
        assert lines[0].startswith("$ ./tilelab")
        assert not Screen((*lines, "$"), (*lines, "$")).problem, screen


def test_the_pages_are_those_of_the_tables() -> None:
    hour, every = first_hour.PAGE.read_text(), verdicts.PAGE.read_text()
    for number, step in enumerate(STEPS, 1):
        assert f"\n## {number}. {step.title}\n" in hour and f"$ {step.command}\n" in hour
        assert first_hour.filled(step.says) in hour
    for row in ROWS:
        assert f"\n## {row.title}\n" in every and verdicts.filled(row.says) in every


def test_a_page_shows_edit_command_and_screen() -> None:
    step = first_hour.Step("diff", "Begin", "./tilelab check diff", "The newcomer goes on.")
    screen = Screen(("$ a", "b", "$"), ("$ a", "b", "$"), 90.4)
    second = Screen(screen.rows, screen.lines, 3.6)
    taken = [first_hour.Taken(step, "-old\n+new", screen), first_hour.Taken(step, "", second)]
    text = first_hour.page(taken)
    assert "## 1. Begin\n\nIn `labs/diff/diff.cu`:\n\n```diff\n-old\n+new\n```\n" in text
    assert "```text\n$ a\nb\n```\n\nThe newcomer goes on.\n" in text
    assert text.count("labs/diff/diff.cu") == 1
    told = " ".join(text.split())
    assert machine() in told and "took 90 s" in told and "the others took 4 to 4 s" in told


def test_an_edit_shows_what_it_takes_away_and_adds() -> None:
    assert shown("a\nb\nc\nd\n", "a\nB\nc\nd\n") == "-b\n+B"
    assert shown("a\nb\nc\n--d\n", "A\nb\nc\n++d\n") == "-a\n+A\n\n---d\n+++d"
    assert shown("a\n", "a\n") == ""


@pytest.mark.parametrize(
    ("rows", "says"),
    [
        (["x" * COLUMNS] * LINES, ""),
        (["x"] * (LINES + 1), "it has 25 lines"),
        (["x" * (COLUMNS + 1)], "breaks this line"),
    ],
)
def test_a_screen_knows_what_is_wrong_with_it(rows: list[str], says: str) -> None:
    problem = Screen(tuple(rows), tuple(rows)).problem
    assert says in problem and bool(problem) == bool(says)


@pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux")
def test_a_terminal_keeps_what_scrolls_away_and_what_it_breaks(tmp_path: Path) -> None:
    with Terminal(tmp_path) as shell:
        small = shell.run("printf 'one\\rtwo\\n'; pwd -P | grep -c .")
        assert small.lines == ("$ printf 'one\\rtwo\\n'; pwd -P | grep -c .", "two", "1", "$")
        assert not small.problem and small.text.endswith("two\n1")
        assert not shell.run("seq 22").problem
        assert shell.run("seq 23").problem == "it has 25 lines"
        assert "breaks this line: 000" in shell.run("printf %081d 0; echo").problem
        assert not shell.run("printf %080d 0; echo").problem

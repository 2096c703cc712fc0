"""What is said about a build, on a terminal and elsewhere."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from tilelab.pipeline.harness.steps import WAITING
from tilelab.screens import building as screen
from tilelab.screens.building import building


def test_without_a_terminal_a_line_says_what_is_built(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    with building(Console(file=out), "the tests of diff") as tell:
        tell(1, 67)
        tell(2, 67)
    said = "tilelab: building the tests of diff: 67 steps (the first time, about a minute)\n"
    assert capsys.readouterr().err == said
    assert out.getvalue() == ""


def test_a_long_line_is_broken(capsys: pytest.CaptureFixture[str]) -> None:
    with building(Console(file=io.StringIO()), "the tests of diff, nearest_neighbor") as tell:
        tell(1, 67)
    lines = capsys.readouterr().err.splitlines()
    assert " ".join(line.strip() for line in lines) == (
        "tilelab: building the tests of diff, nearest_neighbor: 67 steps "
        "(the first time, about a minute)"
    )
    assert len(lines) == 2 and max(map(len, lines)) <= 80


def test_more_lines_follow_from_time_to_time(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = [100.0]
    monkeypatch.setattr(screen.time, "monotonic", lambda: now[0])
    with building(Console(file=io.StringIO()), "the tests of diff") as tell:
        tell(1, 9)
        for done, seconds in ((2, 14), (3, 15), (4, 16), (5, 30)):
            now[0] = 100.0 + seconds
            tell(done, 9)
    assert capsys.readouterr().err.splitlines() == [
        "tilelab: building the tests of diff: 9 steps",
        "tilelab: built 3 of 9 steps",
        "tilelab: built 5 of 9 steps",
    ]


def test_nothing_is_said_if_nothing_is_built(capsys: pytest.CaptureFixture[str]) -> None:
    with building(Console(file=io.StringIO()), "the tests of diff"):
        pass
    assert capsys.readouterr().err == ""


def test_a_terminal_shows_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=True, width=80, _environ={"TERM": "xterm"})
    with building(console, "the tests of diff [x]") as tell:
        tell(12, 67)
    assert "Building the tests of diff [x]: 12 of 67 steps" in out.getvalue()
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("terminal", [False, True])
def test_who_waits_for_another_build_is_told(
    terminal: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    out = io.StringIO()
    console = Console(file=out, force_terminal=terminal, width=80, _environ={"TERM": "xterm"})
    with building(console, "the tests of diff") as tell:
        tell(*WAITING)
    said = out.getvalue() if terminal else capsys.readouterr().err
    assert "aiting: another tilelab builds or tests here" in said

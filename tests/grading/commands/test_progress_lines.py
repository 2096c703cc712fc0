"""What is said about a long command where there is no terminal."""

from __future__ import annotations

import time

import pytest

from tilelab.commands import progress_lines
from tilelab.commands.console import bars, working


@pytest.fixture
def fast(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("_FIRST", 0.2), ("_PAUSE", 0.4), ("_LOOK", 0.01)):
        monkeypatch.setattr(progress_lines, name, seconds)


def wait_for(count: int, capsys: pytest.CaptureFixture[str], said: list[str]) -> None:
    until = time.monotonic() + 60
    while len(said) < count and time.monotonic() < until:
        time.sleep(0.01)
        said += capsys.readouterr().err.splitlines()


@pytest.mark.usefixtures("fast")
def test_lines_come_from_time_to_time_and_for_each_stage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    said: list[str] = []
    with bars("Measuring the labs") as progress:
        bar = progress.add_task("", total=6)
        wait_for(2, capsys, said)
        progress.update(bar, advance=1, description="diff: compiling")
        wait_for(3, capsys, said)
    assert all(line.startswith("tilelab: measuring the labs, 0 of 6 done, ") for line in said[:2])
    assert said[2].startswith("tilelab: measuring the labs, 1 of 6 done, diff: compiling, ")


@pytest.mark.usefixtures("fast")
def test_what_has_no_parts_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    with bars("Building the wheel") as progress:
        progress.add_task("", total=None)
        wait_for(1, capsys, said)
    assert said[0] == "tilelab: building the wheel, 0 s"


@pytest.mark.usefixtures("fast")
def test_a_command_that_waits_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    said: list[str] = []
    with working("Packing"):
        wait_for(1, capsys, said)
    assert said[0] == "tilelab: packing, 0 s"


def test_what_is_soon_done_needs_no_line(capsys: pytest.CaptureFixture[str]) -> None:
    with bars("Writing") as progress:
        progress.add_task("", total=3)
        time.sleep(0.1)
    captured = capsys.readouterr()
    assert captured.err == captured.out == ""

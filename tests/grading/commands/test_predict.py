"""`check` asks for a prediction in a terminal, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pseudo_terminal import Terminal, plain
from support import needs_terminal
from tilelab.labs import lab
from tilelab.tutor.predict import predicted
from typed import command, environment, run

pytestmark = pytest.mark.drawn(pool="predictions asked", count=2)

TILE = lab.load("diff").step("02_tile")
CHECK = ("check", "diff", TILE, "--seed", "7")


@pytest.fixture(autouse=True)
def _own_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TILELAB_PROGRESS", str(tmp_path))


def in_terminal(folder: Path, *keys: str) -> str:
    """What `check` says after these answers."""
    terminal = Terminal(command(*CHECK), folder)
    try:
        said = ""
        for key in keys:
            said += terminal.answer("(Enter skips)", key)
        said += terminal.wait_for("--seed 7")
        assert terminal.has_ended() == 0
        said += terminal.said
    finally:
        terminal.close()
    return plain(said)


@needs_terminal
def test_the_answer_is_compared_with_the_own_kernel(tmp_path: Path) -> None:
    said = in_terminal(tmp_path, "two\n", "2\n")
    assert said.index("Predict: How many loads") < said.index("Well done!")
    assert "Please enter a number" in said
    after = said.partition("--seed 7")[2]
    assert [line for line in after.splitlines() if len(line) > 80] == []
    assert "You said 2, but your kernel makes 1.004 loads per element:" in " ".join(after.split())
    (answer,) = predicted.load("diff").answers
    assert (answer.id, answer.is_right) == ("loads", False)
    assert answer.counted == pytest.approx(1.004, abs=0.001)

    said = in_terminal(tmp_path, "\n")
    assert "How many bytes does each thread" in said and "You said" not in said
    assert predicted.load("diff").skipped == {"bytes": 1}
    assert len(predicted.load("diff").answers) == 1


@needs_terminal
def test_the_end_of_the_input_skips(tmp_path: Path) -> None:
    assert "Well done!" in in_terminal(tmp_path, "\x04")
    assert predicted.load("diff").skipped == {"loads": 1}


@needs_terminal
def test_a_build_server_is_not_asked(tmp_path: Path) -> None:
    in_ci = ["env", "CI=true", *command(*CHECK)]
    terminal = Terminal(in_ci, tmp_path)
    try:
        assert "Predict" not in terminal.wait_for("--seed 7")
        assert terminal.has_ended() == 0
    finally:
        terminal.close()


@pytest.mark.parametrize("more", [[], ["--format", "junit"]])
def test_without_a_terminal_nothing_asks(more: list[str], tmp_path: Path) -> None:
    done = run(*CHECK, *more, given="2\n", env=environment())
    assert done.returncode == 0
    assert "Predict" not in done.stdout + done.stderr
    assert not (tmp_path / "diff.predictions.json").exists()

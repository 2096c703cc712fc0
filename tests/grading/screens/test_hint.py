"""How a hint looks on a narrow screen."""

from __future__ import annotations

from rich.console import Console

from tilelab.model.case import Message
from tilelab.model.failure import Failure
from tilelab.model.lab import Lab
from tilelab.screens import failure as failures
from tilelab.screens.hint import show_hint


def test_lines_break_between_words_and_keep_their_indent() -> None:
    console = Console(width=16)
    with console.capture() as capture:
        show_hint(
            console, ["TODO 1: hint", "", "  `tile[tx] = in[i];` [red]", "- read the handout"]
        )
    assert capture.get().splitlines() == [
        "TODO 1: hint",
        "",
        "  `tile[tx] =",
        "  in[i];` [red]",
        "- read the",
        "  handout",
    ]


def test_a_failure_shows_no_hint_whose_code_the_file_has() -> None:
    the_lab = Lab("diff", "x", (), hints={"tail": "Round up: `(n + block - 1) / block`."})
    says = Message("The tail is wrong.", "tail")
    failure = Failure("correctness", "test", says.text, says.pattern, None, 1, says)
    for source, shows in (("n / block", True), ("(n+block-1)/block", False)):
        lines = failures.hint(failure, the_lab, [source], 80)
        assert any("Round up" in line.plain for line in lines) == shows

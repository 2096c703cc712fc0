"""How a hint looks on a narrow screen."""

from __future__ import annotations

from rich.console import Console

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

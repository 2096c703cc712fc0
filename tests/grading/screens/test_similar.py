"""What `similar` prints."""

from __future__ import annotations

import io

from rich.console import Console

from hostile import TEXTS
from tilelab.screens.similar import ranges, show_alike
from tilelab.similar.pairs import Alike

LINES = (frozenset({1, 2, 3, 9}), frozenset({5}))


def shown(pairs: list[Alike], groups: list[list[str]]) -> str:
    console = Console(file=io.StringIO(), width=100)
    show_alike(console, "diff", 7, pairs, groups)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_pairs_and_groups_are_listed() -> None:
    text = shown([Alike(("ada", "bob"), 0.914, 80, LINES)], [["eve", "mallory"]])
    assert "7 files" in text and "91%" in text and "80" in text
    assert "1-3, 9" in text and "eve, mallory" in text
    assert "no two of 7 files" in shown([], [])


def test_many_pairs_are_counted() -> None:
    text = shown([Alike(("ada", "bob"), 0.9, 80, LINES)] * 60, [])
    assert text.count("90%") == 50 and "10 more pairs" in text


def test_lines_are_ranges() -> None:
    assert ranges(frozenset()) == ""
    assert ranges(frozenset({4, 2, 3, 8, 10, 11})) == "2-4, 8, 10-11"


def test_no_name_reaches_the_terminal_unescaped() -> None:
    for name in TEXTS.values():
        text = shown([Alike((name, "bob"), 0.9, 80, LINES)], [[name, "eve"]])
        assert not {"\x1b", "\x07", "\r", "\u202e"} & set(text)

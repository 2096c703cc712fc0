"""What `similar` prints."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from hostile import TEXTS
from tilelab.screens.similar import ranges, show_likeness
from tilelab.similar.pairs import Alike, Likeness, Same

LINES = (frozenset({1, 2, 3, 9}), frozenset({5}))


def shown(pairs: list[Alike], groups: list[Same], *, is_short: bool = False) -> str:
    console = Console(file=io.StringIO(), width=100)
    show_likeness(console, "diff", Likeness(7, groups, pairs, is_short))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_pairs_and_groups_are_listed() -> None:
    groups = [Same(["eve", "mallory"], False), Same(["fay", "gil"], True)]
    text = shown([Alike(("ada", "bob"), 0.914, 80, LINES)], groups)
    assert "7 files" in text and "91%" in text and "80" in text
    assert "1-3, 9" in text and "short" not in text
    assert "the same apart from names and comments: eve, mallory" in text
    assert "the same to the letter: fay, gil" in text
    assert "no two of 7 files" in shown([], [])


@pytest.mark.parametrize(
    ("files", "earlier", "says"),
    [
        (0, 0, "diff: there is no file, so nothing was compared.\n"),
        (0, 9, "diff: there is no file, so nothing was compared.\n"),
        (1, 0, "diff: there is only 1 file, so nothing was compared.\n"),
        (1, 9, "diff: the only file is not like any of 9 earlier files.\n"),
        (7, 0, "diff: no two of 7 files are alike.\n"),
        (7, 1, "diff: no two of 7 files are alike, and none is like the earlier file.\n"),
        (7, 9, "diff: no two of 7 files are alike, and none is like any of 9 earlier files.\n"),
    ],
)
def test_what_was_compared_in_vain_is_said(files: int, earlier: int, says: str) -> None:
    console = Console(file=io.StringIO(), width=100)
    show_likeness(console, "diff", Likeness(files, [], [], False, earlier=earlier))
    assert isinstance(console.file, io.StringIO)
    assert console.file.getvalue() == says


def test_a_short_lab_is_called_short() -> None:
    text = shown([], [Same(["eve", "mallory"], False)], is_short=True)
    assert "independent ones are often alike" in " ".join(text.split())


def test_what_is_left_out_is_said() -> None:
    console = Console(file=io.StringIO(), width=200)
    pair = Alike(("ada", "bob"), 0.9, 80, LINES)
    silent = [f"s{number}" for number in range(25)]
    found = Likeness(70, [], [pair], False, more=12, also=["eve", "fay"], silent=silent)
    show_likeness(console, "diff", found)
    assert isinstance(console.file, io.StringIO)
    text = console.file.getvalue()
    show_likeness(console, "diff", Likeness(70, [], [pair], False, more=1))
    one_more = console.file.getvalue()
    assert "... and at least 12 more pairs, which are also of eve, fay" in text
    assert "... and at least 1 more pair\n" in one_more
    assert "s0, s1" in text and "s19 and 5 more: no code of their own" in text


def test_names_with_commas_can_be_told_apart() -> None:
    text = shown([], [Same(["Lee, Kim", "Lee, Jo"], True)])
    assert "the same to the letter: Lee, Kim; Lee, Jo\n" in text


def test_lines_are_ranges() -> None:
    assert ranges(frozenset()) == ""
    assert ranges(frozenset({4, 2, 3, 8, 10, 11})) == "2-4, 8, 10-11"
    assert ranges(frozenset(range(1, 80, 2))).endswith(", 37, 39, ...")


def test_no_name_reaches_the_terminal_unescaped() -> None:
    for name in TEXTS.values():
        text = shown([Alike((name, "bob"), 0.9, 80, LINES)], [Same([name, "eve"], True)])
        assert not {"\x1b", "\x07", "\r", "\u202e"} & set(text)

"""A pair's page, read by another parser."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

from hostile import TEXTS
from tilelab.pipeline import intake
from tilelab.similar import page
from tilelab.similar.pairs import Alike


class Reader(HTMLParser):
    """Collects the tags, and the text of marked lines and of remarks on lines left out."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.texts: dict[str, list[str]] = {"mark": [], "i": []}
        self._within = ""

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self._within = tag
        if tag in self.texts:
            self.texts[tag].append("")

    def handle_endtag(self, tag: str) -> None:
        self._within = ""

    def handle_data(self, data: str) -> None:
        if self._within in self.texts:
            self.texts[self._within][-1] += data


def read(sources: dict[str, str], lines: tuple[frozenset[int], frozenset[int]]) -> Reader:
    one, other = sources
    reader = Reader()
    reader.feed(page.text("diff", Alike((one, other), 0.9, 50, lines), sources))
    return reader


def test_the_common_lines_are_marked() -> None:
    sources = {"ada": "int a;\nint b;\nint c;\n", "bob": "int x;\nint b;\n"}
    reader = read(sources, (frozenset({2}), frozenset({2})))
    assert reader.texts["i"] == []
    assert reader.texts["mark"] == ["   2 int b;\n"] * 2


def test_the_page_says_that_it_proves_nothing() -> None:
    text = page.text(
        "diff", Alike(("a", "b"), 0.9, 50, (frozenset(), frozenset())), {"a": "", "b": ""}
    )
    assert "50 passages of its own. 90% of them" in text and page.CAUTION in text


def test_hostile_texts_stay_texts() -> None:
    for text in TEXTS.values():
        reader = read({text: text, "bob": text}, (frozenset({1}), frozenset()))
        assert not reader.tags & {"script", "img", "a", "iframe", "link"}


def size(sources: dict[str, str], lines: tuple[frozenset[int], frozenset[int]]) -> int:
    one, other = sources
    return len(page.text("diff", Alike((one, other), 0.9, 50, lines), sources).encode())


def test_of_long_files_the_common_lines_are_shown_and_what_is_around() -> None:
    text = "".join(f"int a{number} = {number}; // {'x' * 80}\n" for number in range(5000))
    common = frozenset(range(3000, 3004))
    reader = read({"ada": text, "bob": text}, (common, frozenset({1})))
    assert len(reader.texts["mark"]) == 5
    assert reader.texts["i"][:2] == ["2994 lines are left out", "1992 lines are left out"]
    assert size({"ada": text, "bob": text}, (common, common)) < 20_000


@pytest.mark.parametrize(
    "piece", ["\n", "&", '"', "\x01", "\u202e", "é\n", "a\n", "😀" * 99 + "\n"]
)
def test_no_page_is_larger_than_a_megabyte(piece: str) -> None:
    text = piece * (intake.MAX_BYTES // len(piece.encode()))
    everything = frozenset(range(1, text.count("\n") + 2))
    for lines in (everything, frozenset(list(everything)[::20]), frozenset[int]()):
        assert size({"ada": text, "bob": text}, (lines, lines)) < 1_000_000
    reader = read({"ada": text, "bob": text}, (everything, everything))
    shown = [int(line.split()[0]) for line in reader.texts["mark"]]
    left_out = [int(remark.split()[0]) for remark in reader.texts["i"]]
    assert len(shown) + sum(left_out) == 2 * len(text.removesuffix("\n").split("\n"))

"""A pair's page, read by another parser."""

from __future__ import annotations

from html.parser import HTMLParser

from hostile import TEXTS
from tilelab.similar import page
from tilelab.similar.pairs import Alike


class Reader(HTMLParser):
    """Collects the tags, and the text of marked lines."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.marked: list[str] = []
        self._depth = 0

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "span":
            self._depth += bool(self._depth) or ("class", "hll") in attributes
            if self._depth == 1:
                self.marked.append("")

    def handle_endtag(self, tag: str) -> None:
        if tag == "span" and self._depth:
            self._depth -= 1

    def handle_data(self, data: str) -> None:
        if self._depth:
            self.marked[-1] += data


def read(sources: dict[str, str], lines: tuple[frozenset[int], frozenset[int]]) -> Reader:
    one, other = sources
    reader = Reader()
    reader.feed(page.text("diff", Alike((one, other), 0.9, 50, lines), sources))
    return reader


def test_the_common_lines_are_marked() -> None:
    sources = {"ada": "int a;\nint b;\nint c;\n", "bob": "int x;\nint b;\n"}
    reader = read(sources, (frozenset({2}), frozenset({2})))
    assert [text.split() for text in reader.marked] == [["2int", "b;"], ["2int", "b;"]]


def test_the_page_says_that_it_proves_nothing() -> None:
    text = page.text(
        "diff", Alike(("a", "b"), 0.9, 50, (frozenset(), frozenset())), {"a": "", "b": ""}
    )
    assert "50 passages of its own. 90% of them" in text and page.CAUTION in text


def test_hostile_texts_stay_texts() -> None:
    for text in TEXTS.values():
        reader = read({text: text, "bob": text}, (frozenset({1}), frozenset()))
        assert not reader.tags & {"script", "img", "a", "iframe", "link"}

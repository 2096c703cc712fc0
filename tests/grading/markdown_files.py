"""Reads Markdown as GitHub does: headings with their anchors, and links as paths."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")


def parser() -> MarkdownIt:
    """A parser for the part of GitHub's Markdown that the repository uses."""
    return MarkdownIt("commonmark", {"html": True}).enable("table")


@dataclass(frozen=True)
class Link:
    """A link or an image. `target` is None if it leads out of the repository."""

    line: int
    text: str
    address: str
    target: Path | None
    anchor: str
    is_image: bool


def slug(heading: str) -> str:
    """GitHub's anchor of a heading."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower())
    return kept.replace(" ", "-")


def anchors(text: str) -> list[str]:
    """The anchors of all headings, in order."""
    found: list[str] = []
    for heading in _headings(text):
        found.append(_distinct(slug(heading.content), found))
    return found


def links(text: str, path: Path) -> list[Link]:
    """All links and images of the file at `path`, with the files that they refer to."""
    return [
        link
        for token in parser().parse(text)
        for link in _links_of(token.children or [], path, token.map[0] + 1 if token.map else 0)
    ]


def _links_of(tokens: Sequence[Token], path: Path, line: int) -> Iterator[Link]:
    """The links and images among the tokens of a paragraph that starts at `line`."""
    for position, token in enumerate(tokens):
        if token.type in ("softbreak", "hardbreak"):
            line += 1
        elif token.type == "image":
            yield _link(str(token.attrs["src"]), token.content, path, line, is_image=True)
        elif token.type == "link_open":
            # A line break has no content.
            words = "".join(one.content or " " for one in _until_close(tokens[position + 1 :]))
            yield _link(str(token.attrs["href"]), words, path, line, is_image=False)


def _distinct(anchor: str, taken: Sequence[str]) -> str:
    """The anchor, with a number if an earlier heading has it too."""
    result, count = anchor, 0
    while result in taken:
        count += 1
        result = f"{anchor}-{count}"
    return result


def _headings(text: str) -> Iterator[Token]:
    tokens = parser().parse(text)
    for token, following in pairwise(tokens):
        if token.type == "heading_open":
            yield following


def _until_close(tokens: Sequence[Token]) -> Iterator[Token]:
    for token in tokens:
        if token.type == "link_close":
            return
        yield token


def _link(address: str, text: str, path: Path, line: int, *, is_image: bool) -> Link:
    file, _, anchor = address.partition("#")
    target = None
    if not _ELSEWHERE.match(address):
        target = Path(os.path.normpath(path.parent / file)) if file else path
    return Link(line, text, address, target, anchor, is_image)

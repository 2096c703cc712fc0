"""Turns GitHub's Markdown into Doxygen's, line by line.

The repository's files have to read well on GitHub, so links are paths, and links to headings use
GitHub's anchors. Doxygen needs labels for both.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

_HEADING = re.compile(r"(#{1,6}) +(.+?) *#*$")
_LINK = re.compile(r"(?P<image>!?)\[(?P<text>(?:[^\[\]]|\[[^\]]*\])*)\]\((?P<target>[^()\s]+)\)")
_CODE_SPAN = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")
_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:")


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


def title(text: str) -> str:
    """The first heading, as plain text."""
    return next((found[2] for line in _prose(text) if (found := _HEADING.match(line[1]))), "")


def anchors(text: str) -> list[str]:
    """The anchors of all headings, in order."""
    found: list[str] = []
    for _, line in _prose(text):
        if match := _HEADING.match(line):
            found.append(_distinct(slug(match[2]), found))
    return found


def links(text: str, path: Path) -> list[Link]:
    """All links and images of the file at `path`, with the files that they refer to."""
    found: list[Link] = []
    for number, line in _prose(text):
        for is_code, part in _spans(line):
            if not is_code:
                found += [_link(match, path, number) for match in _LINK.finditer(part)]
    return found


def label(page: str, anchor: str) -> str:
    """Doxygen's label of a heading."""
    return f"{page}__{anchor}"


def for_doxygen(text: str, path: Path, page: str, replace: Callable[[Link], str | None]) -> str:
    """The text with labels at headings, a table of contents, and links replaced by `replace`.

    `page` is the label of the page, and headings get label(page, anchor). The main page, "", gets
    no labels, because its headings would appear in the menu between the pages.
    """
    labels = iter(anchors(text))
    lines = text.split("\n")
    is_first = True
    for number, line in _prose(text):
        if match := _HEADING.match(line):
            anchor = next(labels)
            # Menus would show the source of a code span in a title.
            heading = match[2].replace("`", "") if is_first else match[2]
            own = page if is_first or not page else label(page, anchor)
            lines[number - 1] = f"{match[1]} {heading}" + (f" {{#{own}}}" if own else "")
            if is_first and page and len(lines) > number and not lines[number]:
                # In the blank line, so that all lines keep their numbers.
                lines[number] = "@tableofcontents{HTML:2}"
            is_first = False
            continue
        if not line:
            continue
        lines[number - 1] = "".join(
            part if is_code else _LINK.sub(lambda m: _replaced(m, path, number, replace), part)  # noqa: B023
            for is_code, part in _spans(line)
        )
    return "\n".join(lines)


def _replaced(
    match: re.Match[str], path: Path, number: int, replace: Callable[[Link], str | None]
) -> str:
    result = replace(_link(match, path, number))
    return match[0] if result is None else result


def _link(match: re.Match[str], path: Path, number: int) -> Link:
    address = match["target"]
    file, _, anchor = address.partition("#")
    target = None
    if not _ELSEWHERE.match(address):
        target = Path(os.path.normpath(path.parent / file)) if file else path
    return Link(number, match["text"], address, target, anchor, bool(match["image"]))


def _distinct(anchor: str, taken: list[str]) -> str:
    result, count = anchor, 0
    while result in taken:
        count += 1
        result = f"{anchor}-{count}"
    return result


def _prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines outside code blocks, with their numbers."""
    fence = ""
    for number, line in enumerate(text.split("\n"), 1):
        if match := _FENCE.match(line):
            if not fence:
                fence = match[1]
            elif match[1].startswith(fence):
                fence = ""
            continue
        if not fence and not line.startswith("    "):
            yield number, line


def _spans(line: str) -> Iterator[tuple[bool, str]]:
    """The line's parts, and whether each is a code span.

    A link whose text is a code span is one part.
    """
    end = 0
    links_at = [match.span() for match in _LINK.finditer(line)]
    for match in _CODE_SPAN.finditer(line):
        if any(begin < match.start() and match.end() <= stop for begin, stop in links_at):
            continue
        yield False, line[end : match.start()]
        yield True, match[0]
        end = match.end()
    yield False, line[end:]

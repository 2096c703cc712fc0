"""Turns Markdown into the HTML of a page, section by section."""

from __future__ import annotations

import re
from collections.abc import Callable, MutableMapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token

from tilelab.site import highlight, markdown

# Where a link leads, None to keep only its words.
Address = Callable[[markdown.Link], str | None]
# An image as HTML.
Picture = Callable[[markdown.Link], str]

# What should stay on one line: -1.5, 0.05%, 8.45 ms, 2^25, 64 KiB, 12,288, n = 1000, 1.0 x.
_NUMBER = re.compile(r"(\w = )?[-+<>~]?\d[\d.,^]*( ?(%|x|[a-zA-Z]{1,3}(/s)?))?")


@dataclass(frozen=True)
class Section:
    """A heading and what follows it. The first section of a page has the page's title."""

    level: int
    heading: str
    anchor: str
    html: str
    words: str  # for the search


def sections(text: str, path: Path, address: Address, picture: Picture) -> list[Section]:
    """The sections of the Markdown at `path`, which begins with a heading."""
    parser = markdown.parser()
    _teach(parser)
    tokens = parser.parse(text)
    for token in tokens:
        if token.children:
            line = token.map[0] + 1 if token.map else 0
            _lead(token.children, path, line, address, picture)
    _mark_numbers(tokens)
    found: list[Section] = []
    taken: list[str] = []
    starts = [n for n, one in enumerate(tokens) if one.type == "heading_open" and one.level == 0]
    for start, end in zip(starts, [*starts[1:], len(tokens)], strict=True):
        heading, body = tokens[start + 1], tokens[start + 3 : end]
        taken.append(markdown.distinct(markdown.slug(heading.content), taken))
        found.append(
            Section(
                level=int(tokens[start].tag[1:]),
                heading=markdown.plain(heading),
                anchor=taken[-1],
                html=str(parser.renderer.render(body, parser.options, {})),
                words=" ".join(_words(body)),
            )
        )
    return found


def _teach(parser: MarkdownIt) -> None:
    """Colors code, and lets tables scroll by themselves on narrow screens."""
    parser.add_render_rule("fence", _code)
    parser.add_render_rule("code_block", _code)
    parser.add_render_rule("table_open", _open_table)
    parser.add_render_rule("table_close", _close_table)


def _code(
    self: RendererHTML, tokens: Sequence[Token], position: int, *_: MutableMapping[str, Any]
) -> str:
    return highlight.code(tokens[position].content, tokens[position].info.strip())


def _open_table(*_: object) -> str:
    return '<div class="wide"><table>\n'


def _close_table(*_: object) -> str:
    return "</table></div>\n"


def _lead(children: list[Token], path: Path, line: int, address: Address, picture: Picture) -> None:
    """Replaces the addresses of links, and images by what `picture` makes of them."""
    for token, link in list(markdown.links_of(children, path, line)):
        if link.is_image:
            children[children.index(token)] = Token("html_inline", "", 0, content=picture(link))
        elif link.target is not None:
            if target := address(link):
                token.attrs["href"] = target
            else:
                at = children.index(token)
                end = next(n for n in range(at, len(children)) if children[n].type == "link_close")
                del children[end], children[at]


def _mark_numbers(tokens: Sequence[Token]) -> None:
    """Marks the cells of tables that hold a number."""
    for cell, content in pairwise(tokens):
        if cell.type == "td_open" and _NUMBER.fullmatch(markdown.plain(content)):
            cell.attrJoin("class", "number")


def _words(tokens: Sequence[Token]) -> list[str]:
    """What the search finds: prose and short listings, but not whole files."""
    return [
        markdown.plain(token) if token.type == "inline" else token.content
        for token in tokens
        if token.type in ("inline", "code_block")
    ]


def heading(section: Section, anchor: str) -> str:
    """A heading in HTML, for pages without a table of contents."""
    level = f"h{section.level}"
    return f'<{level} id="{escape(anchor)}">{escape(section.heading)}</{level}>\n'

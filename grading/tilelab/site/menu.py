"""Writes the menu, as an element of a Doxygen layout file."""

from __future__ import annotations

from collections.abc import Iterator
from xml.sax.saxutils import quoteattr

from tilelab.labs import lab
from tilelab.model.lab import Lab
from tilelab.site import pages
from tilelab.site.pages import Page


def navigation() -> str:
    lines = ["<navindex>", _tab("mainpage", "", "TileLab")]
    lines += _group(pages.index_of_labs(), [line for one in lab.course() for line in _lab(one)])
    lines += [_page(page) for page in pages.guides()]
    lines += _group(pages.index_of_results(), [_page(page) for page in pages.results()])
    lines += [_page(page) for page in pages.index_of_solutions()]
    lines += [_page(page) for page in pages.for_contributors()]
    listed = [_tab(kind, "", "") for kind in ("namespacelist", "classlist", "filelist")]
    lines += _group(pages.api(), listed)
    return "\n".join([*lines, "</navindex>"])


def _lab(one: Lab) -> Iterator[str]:
    """A handout, with the pages about its files below it."""
    below = [_page(page) for page in (*pages.further(one), pages.files_of(one))]
    if about := pages.about_solutions_of(one):
        overview, *solutions, mistakes = about
        below += [*_group(overview, [_page(page) for page in solutions]), _page(mistakes)]
    yield from _group(pages.handout(one), below)


def _group(page: Page, below: list[str]) -> Iterator[str]:
    if not below:
        yield _page(page)
        return
    yield _tab("usergroup", f"@ref {page.label}", page.name).replace("/>", ">")
    yield from below
    yield "</tab>"


def _page(page: Page) -> str:
    return _tab("user", f"@ref {page.label}", page.name)


def _tab(kind: str, url: str, title: str) -> str:
    return f'<tab type="{kind}" visible="yes" url={quoteattr(url)} title={quoteattr(title)}/>'

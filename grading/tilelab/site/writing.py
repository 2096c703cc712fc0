"""Writes the pages for Doxygen, which adds the menu, headings and tables of contents."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path

from tilelab.base.errors import InfraError
from tilelab.base.repository import REPO
from tilelab.labs import lab
from tilelab.site import dark, markdown, pages, render, search
from tilelab.site.pages import Page
from tilelab.site.render import Section

# What means something to Doxygen, also in a heading.
_MARKUP = re.compile(r"([\\@#<>&%\"])")


@dataclass
class Written:
    """What was written: the files that Doxygen has to read, and what the search finds in them."""

    files: list[Path] = field(default_factory=list)
    entries: list[search.Entry] = field(default_factory=list)


def write(folder: Path) -> Written:
    """Writes all pages into `folder`: files for Doxygen, which include HTML from `folder`/bodies.

    Their images go to `folder`/images. Raises InfraError for a page without a title and for an
    image that is not there.
    """
    shutil.rmtree(folder, ignore_errors=True)
    for name in ("bodies", "images"):
        (folder / name).mkdir(parents=True)
    written = Written()
    for page in pages.all_pages():
        if not page.title:
            raise InfraError(f"{page.path} needs a title: a first line with '# '.")
        sections = render.sections(page.text, page.path, _address, _Pictures(page, folder))
        text = _doxygen(page, sections, folder / "bodies")
        written.files.append(_written(folder / f"{page.label}.dox", text))
        written.entries += _entries(page, sections)
    written.files.append(_written(folder / "files.dox", _files()))
    return written


def _written(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


def anchor(page: Page, section: str) -> str:
    """The id of a section, which has to be its own on the whole site."""
    return f"{page.label}__{section}"


def _doxygen(page: Page, sections: Sequence[Section], bodies: Path) -> str:
    """A page in Doxygen's language. Doxygen makes its headings and table of contents."""
    title, *rest = sections
    if page.is_home:
        # Its headings would appear in the menu, between the pages.
        html = "".join(render.heading(one, anchor(page, one.anchor)) + one.html for one in rest)
        body = _include(bodies, page.label, title.html + html)
        return f"/** @mainpage {_plain(title.heading)}\n{body}*/\n"
    lines = [f"/** @page {page.label} {_plain(title.heading)}"]
    if any(one.level == 2 for one in rest):
        lines.append("@tableofcontents{HTML:2}")
    lines.append(_include(bodies, page.label, title.html))
    for number, one in enumerate(rest):
        command = "@" + "sub" * min(one.level - 2, 2) + "section"
        lines.append(f"{command} {anchor(page, one.anchor)} {_plain(one.heading)}")
        lines.append(_include(bodies, f"{page.label}-{number}", one.html))
    return "\n".join([*lines, "*/", ""])


def _include(bodies: Path, name: str, html: str) -> str:
    (bodies / f"{name}.html").write_text(html, encoding="utf-8")
    return f"\n@htmlinclude[block] {name}.html\n"


def _plain(words: str) -> str:
    return _MARKUP.sub(r"\\\1", words)


def _entries(page: Page, sections: Sequence[Section]) -> Iterator[search.Entry]:
    for number, one in enumerate(sections):
        url = f"{page.label}.html" + (f"#{anchor(page, one.anchor)}" if number else "")
        yield search.Entry(url, sections[0].heading, one.heading, one.words)


def _address(link: markdown.Link) -> str | None:
    """Where a link to a file of the repository leads on the site, None if nowhere."""
    assert link.target is not None
    for page in pages.all_pages():
        is_index = page.path.name == "README.md"  # which GitHub shows for its folder
        shown = {page.path, page.path.parent} if is_index else {page.path}
        if link.target in page.listed:
            return f"{page.label}.html#{anchor(page, markdown.slug(link.target.name))}"
        if link.target in shown:
            suffix = f"#{anchor(page, link.anchor)}" if link.anchor else ""
            return f"{page.label}.html{suffix}"
    if link.target in pages.api_headers():
        # Doxygen's name of a file's page.
        return link.target.name.replace("_", "__").replace(".", "_8") + ".html"
    return None


class _Pictures:
    """Copies the images of a page, with dark twins of those that need one.

    The twin of a drawing is computed. That of NAME.png is NAME-dark.png, if it exists.
    """

    def __init__(self, page: Page, folder: Path) -> None:
        self._page = page
        self._images = folder / "images"

    def __call__(self, link: markdown.Link) -> str:
        assert link.target is not None
        where = f"{self._page.path.relative_to(REPO)}:{link.line}"
        if not link.target.is_file():
            raise InfraError(f"{where}: the image {link.address} does not exist.")
        # All images of the site are in one folder.
        name = link.target.relative_to(REPO).as_posix().replace("/", "-")
        shutil.copyfile(link.target, self._images / name)
        if self._write_twin(link.target, self._images / f"dark-{name}"):
            images = self._image(name, link.text, "figure by-day")
            images += self._image(f"dark-{name}", link.text, "figure by-night")
        else:
            images = self._image(name, link.text, "figure")
        return f'<span class="figures">{images}</span>'

    def _write_twin(self, image: Path, twin: Path) -> bool:
        """Writes what dark pages show instead, and returns whether they do."""
        drawn = image.with_stem(f"{image.stem}-dark")
        if drawn.is_file():
            shutil.copyfile(drawn, twin)
            return True
        if image.suffix != ".svg" or dark.is_dark(svg := image.read_text(encoding="utf-8")):
            return False
        twin.write_text(dark.twin(svg), encoding="utf-8")
        return True

    def _image(self, name: str, alternative: str, style: str) -> str:
        return f'<img src="{name}" alt="{escape(alternative)}" class="{style}"/>'


def _files() -> str:
    """Doxygen lists what a header declares only if the header itself is documented."""
    blocks = []
    for one in lab.course():
        path = one.header.relative_to(REPO).as_posix()
        blocks.append((path, f"The contract of a lab: {one.title}."))
    blocks += [(name, "") for name in pages.API_HEADERS]
    return "\n".join(f"/** @file {name}\n *  {brief}\n */" for name, brief in blocks)

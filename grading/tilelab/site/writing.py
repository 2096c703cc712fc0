"""Writes the pages for MkDocs, with links that lead somewhere, and copies what they show."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path, PurePosixPath

from tilelab.base import links
from tilelab.base.repository import REPO
from tilelab.site.pages import Page, all_pages

_COPIED = (".svg", ".png", ".css", ".js")
# A picture that may have a twin for dark pages.
_PNG = re.compile(r"!\[((?:[^\[\]]|\[[^\]]*\])*)\]\((\S+)\.png\)")
# What stays on one line in a table: 0.05 %, 8.45 ms, 64 KiB.
_NUMBER = re.compile(r"(?<=\| )([-+<>~]?\d[\d.,^]*) (%|x|[a-zA-Z]{1,3}(?:/s)?)(?= \|)")


def write(folder: Path, host: str | None) -> None:
    """Writes all pages below `folder`, where the API already is.

    `host` is the address of the repository, for links to files that have no page.
    """
    for path in (REPO / "docs").rglob("*.*"):
        if path.suffix in _COPIED:
            copy = folder / path.relative_to(REPO)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)
    for page in all_pages().values():
        path = folder / page.place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_head(page, host) + text_of(page, folder, host), encoding="utf-8")


def _head(page: Page, host: str | None) -> str:
    """What MkDocs reads before the text. The search prefers handouts, and finds code last."""
    boost = 0.001 if page.shows else 10 if page.place.match("labs/*/README.md") else 1
    lines = ["---", f"title: {json.dumps(page.title)}", f"search: {{boost: {boost}}}"]
    made_of = list(page.shows) or [page.place]
    if host and len(made_of) == 1:
        lines.append(f"edit_url: {host}/edit/main/{made_of[0]}")
    return "\n".join([*lines, "---", "", ""])


def text_of(page: Page, folder: Path, host: str | None) -> str:
    """The text of a page whose pictures and API are in `folder`."""
    places = _places()

    def lead(target: PurePosixPath, address: str) -> str | None:
        _, mark, anchor = address.partition("#")
        # Doxygen's name of a header's page.
        name = target.name.replace("_", "__").replace(".", "_8")
        api = PurePosixPath("api", f"{name}.html")
        if target.suffix in _COPIED or not (REPO / target).exists():
            return address  # also what is in code, and no link
        if target in places:
            place, section = places[target]
            anchor = section or anchor
            return os.path.relpath(place, page.place.parent) + (f"#{anchor}" if anchor else "")
        if target.suffix == ".h" and (folder / api).is_file():
            return os.path.relpath(api, page.place.parent)
        return f"{host}/blob/main/{target}{mark}{anchor}" if host else None

    def with_twin(found: re.Match[str]) -> str:
        name = found[2]
        if not (folder / page.place.parent / f"{name}-dark.png").is_file():
            return found[0]
        return f"![{found[1]}]({name}.png#only-light)![{found[1]}]({name}-dark.png#only-dark)"

    text = _PNG.sub(with_twin, links.redirected(page.text, page.place, lead))
    text = _NUMBER.sub("\\1\N{NO-BREAK SPACE}\\2", text)
    return text.replace("<details>", "<details markdown>")


@cache
def _places() -> Mapping[PurePosixPath, tuple[PurePosixPath, str]]:
    """For files and folders of the repository, the page that shows each, and where on it."""
    found: dict[PurePosixPath, tuple[PurePosixPath, str]] = {}
    for page in all_pages().values():
        found |= {path: (page.place, anchor) for path, anchor in page.shows.items()}
        found[page.place] = page.place, ""
        if page.place.name == "README.md":
            found[page.place.parent] = page.place, ""
    return found

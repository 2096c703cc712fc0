"""Lists the pages of the site: Markdown that people wrote, and pages about source files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from tilelab.base.repository import REPO
from tilelab.labs import lab, parsons
from tilelab.model.lab import Lab
from tilelab.site import ordering, sources

Entry = str | dict[str, Any]  # of MkDocs' navigation

_FOLDERS = (".", "docs", "docs/results", "solutions", "common/*", "labs/*")


@dataclass(frozen=True)
class Page:
    """A page of the site. Its `place` is where its Markdown lies in the repository, or would lie.

    `name` is what the navigation calls the page, if not by its title. `shows` are the source files
    that it was made of, each with the anchor of its section.
    """

    place: PurePosixPath
    text: str
    name: str = ""
    shows: Mapping[PurePosixPath, str] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return self.text.partition("\n")[0].removeprefix("# ").replace("`", "")


@cache
def all_pages() -> dict[PurePosixPath, Page]:
    """The pages by their places. A copy for students has none that give a solution away."""
    found = list(_written())
    for one in lab.course():
        found += [*_ordering(one), _files(one), *(_solving(one) if one.reference.is_file() else ())]
    return {page.place: page for page in found}


def navigation(entries: Sequence[Entry]) -> list[Entry]:
    """The entries with pages for folders: NAME/ is all pages in it, NAME/*/ a section per lab.

    What is not there is left out, and so is a section without pages.
    """
    return [found for entry in entries for found in _expanded(entry)]


def _expanded(entry: Entry) -> Iterator[Entry]:
    if isinstance(entry, dict):
        for title, below in entry.items():
            if found := below if isinstance(below, str) else navigation(below):
                yield {title: found}
    elif entry.endswith("/*/"):
        for one in lab.course():
            yield from _expanded({one.title: [entry.replace("*", one.name)]})
    else:
        for place, page in all_pages().items():
            if str(place) == entry or (entry.endswith("/") and place.is_relative_to(entry)):
                yield {page.name: str(place)} if page.name else str(place)


def _written() -> Iterator[Page]:
    found = [path for folder in _FOLDERS for path in sorted(REPO.glob(f"{folder}/*.md"))]
    for path in sorted(found, key=lambda path: path.name != "README.md"):
        name = "Going further" if path.name == "FURTHER.md" else ""
        yield Page(_in_repository(path), path.read_text(encoding="utf-8"), name)


def _ordering(one: Lab) -> Iterator[Page]:
    """The lab's Parsons problem, if it has one."""
    path = parsons.path_of(one)
    if path.is_file():
        text = ordering.text_of(one, parsons.load(one))
        shows = {_in_repository(path): ""}
        yield Page(_in_repository(path.with_suffix(".md")), text, "Order the lines", shows)


def _files(one: Lab) -> Page:
    """What a student starts from: the skeleton, the contract, the baseline and worked examples."""
    folder = one.skeleton.parent
    others = [path for path in sorted(folder.glob("*.cu")) if path != one.skeleton]
    return _about(one, folder / "files.md", "Files", [one.skeleton, one.header, *others])


def _solving(one: Lab) -> Iterator[Page]:
    """The reference solution, the steps of the ladder, what goes beyond, and mistakes."""
    others = sorted(one.solutions.glob("*/*.cu"))
    mistakes = [path for path in others if path.parent.name == "mistakes"]
    beyond = [path for path in others if path.parent.name not in ("ladder", "mistakes")]
    for path in (one.reference, *one.ladder, *beyond):
        source = sources.read(path)
        text = f"# {_title(one, source.name)}\n\n{source.body}"
        shows = {_in_repository(path): ""}
        yield Page(_in_repository(path.with_suffix(".md")), text, source.name, shows)
    place = one.solutions / "mistakes.md"
    yield _about(one, place, "Typical mistakes", mistakes)


def _about(one: Lab, path: Path, name: str, files: Sequence[Path]) -> Page:
    """A page with a section for each of some files."""
    shown = [sources.read(file) for file in files]
    sections = [f"## {each.name}\n\n{each.body}" for each in shown]
    shows = {_in_repository(each.path): each.anchor for each in shown}
    text = "\n".join([f"# {_title(one, name)}\n", *sections])
    return Page(_in_repository(path), text, name, shows)


def _title(one: Lab, name: str) -> str:
    return f"{one.title}{',' if ':' in name else ':'} {name[0].lower()}{name[1:]}"


def _in_repository(path: Path) -> PurePosixPath:
    return PurePosixPath(path.relative_to(REPO))

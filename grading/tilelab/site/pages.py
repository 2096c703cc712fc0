"""Lists the pages of the site and writes them for Doxygen."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tilelab.base.errors import InfraError
from tilelab.base.repository import REPO
from tilelab.score import lab
from tilelab.site import markdown

GUIDES = ("student", "instructor", "architecture", "design")

# The headers that a lab's tests, a worker's dispatch and users of the emulator include.
API_HEADERS = (
    "common/contract/detail.h",
    "common/contract/functions.h",
    "common/contract/order.h",
    "common/contract/wire.h",
    "common/emulator/emulator.h",
    "common/emulator/observer/observer.h",
    "common/emulator/observer/options.h",
    "common/report/access.h",
    "common/report/counts.h",
    "common/report/decode.h",
    "common/report/encode.h",
    "common/report/finding.h",
    "common/report/places.h",
    "common/report/report.h",
    "common/report/trace.h",
    "common/judge/calls/arguments.h",
    "common/judge/catch.h",
    "common/judge/checks/check.h",
    "common/judge/checks/differences.h",
    "common/judge/lab.h",
    "common/judge/calls/observation.h",
    "common/judge/checks/picture.h",
    "common/judge/calls/random.h",
    "common/judge/checks/safety.h",
    "common/judge/speed/speed.h",
    "common/judge/speed/speed_problem.h",
    "common/judge/calls/submission.h",
    "common/judge/checks/traffic.h",
    "common/judge/calls/values.h",
)


@dataclass(frozen=True)
class Page:
    """A Markdown file of the repository.

    `label` is Doxygen's name of its page, "" for the main page.
    """

    path: Path
    label: str

    @property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @property
    def title(self) -> str:
        return markdown.title(self.text).replace("`", "")


def home() -> Page:
    return Page(REPO / "README.md", "")


def guides() -> list[Page]:
    return [Page(REPO / "docs" / f"{name}.md", name) for name in GUIDES]


def handouts() -> list[Page]:
    return [Page(one.skeleton.with_name("README.md"), f"lab_{one.name}") for one in lab.course()]


def results() -> list[Page]:
    """The pages of measured results that exist."""
    folder = REPO / "docs" / "results"
    paths = sorted(path for path in folder.glob("*.md") if path.name != "README.md")
    return [Page(path, f"results_{path.stem}") for path in paths]


def index_of_results() -> Page:
    return Page(REPO / "docs" / "results" / "README.md", "results")


def all_pages() -> list[Page]:
    return [home(), *guides(), *handouts(), index_of_results(), *results()]


def contracts() -> list[Path]:
    return [one.header for one in lab.course()]


def api_headers() -> list[Path]:
    return [*contracts(), *(REPO / name for name in API_HEADERS)]


def write(folder: Path) -> list[Path]:
    """Writes all pages for Doxygen into `folder`, and their images into folder/images.

    Raises InfraError for a page without a title and for an image that is not there.
    """
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "images").mkdir(parents=True)
    written = []
    for page in all_pages():
        if not page.title:
            raise InfraError(f"{page.path} needs a title: a first line with '# '.")
        text = markdown.for_doxygen(page.text, page.path, page.label, _Replacer(page, folder))
        # Under the same path, so that Doxygen's warnings name the right file.
        path = folder / page.path.relative_to(REPO)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        written.append(path)
    with (folder / index_of_results().path.relative_to(REPO)).open("a", encoding="utf-8") as file:
        file.write(_results())
    for name, text in (("labs", _labs()), ("api", _api())):
        path = folder / f"{name}.md"
        path.write_text(text, encoding="utf-8")
        written.append(path)
    (folder / "files.dox").write_text(_files(), encoding="utf-8")
    return [*written, folder / "files.dox"]


def navigation() -> str:
    """The menu, as an element of a Doxygen layout file."""
    lines = ["<navindex>", _tab("mainpage", "", "TileLab")]
    lines += _group("@ref labs", "Labs", [(f"@ref {p.label}", p.title) for p in handouts()])
    lines += [_tab("user", f"@ref {page.label}", page.title) for page in guides()]
    lines += _group("@ref results", "Results", [(f"@ref {p.label}", p.title) for p in results()])
    lines += ['<tab type="usergroup" visible="yes" url="@ref api" title="API">']
    lines += [_tab(kind, "", "") for kind in ("namespacelist", "classlist", "filelist")]
    return "\n".join([*lines, "</tab>", "</navindex>"])


class _Replacer:
    """Replaces a link by a reference to a page or header, a copy of an image, or plain text."""

    def __init__(self, page: Page, folder: Path) -> None:
        self._page = page
        self._folder = folder
        self._labels = {page.path: page.label for page in all_pages()} | {REPO / "labs": "labs"}
        self._headers = set(api_headers())

    def __call__(self, link: markdown.Link) -> str | None:
        if link.target is None:
            return None
        if link.is_image:
            return self._image(link)
        text = link.text.replace("`", "")  # Doxygen shows a reference's text as it is
        if link.target in self._labels:
            page = self._labels[link.target]
            label = markdown.label(page, link.anchor) if page and link.anchor else page or "index"
            return f"[{text}](@ref {label})"
        if link.target in self._headers:
            return f"[{text}](@ref {link.target.relative_to(REPO).as_posix()})"
        return link.text  # the site does not hold the repository

    def _image(self, link: markdown.Link) -> str:
        assert link.target is not None
        where = f"{self._page.path.relative_to(REPO)}:{link.line}"
        if not link.target.is_file():
            raise InfraError(f"{where}: the image {link.address} does not exist.")
        # All images of the site are in one folder.
        name = link.target.relative_to(REPO).as_posix().replace("/", "-")
        shutil.copyfile(link.target, self._folder / "images" / name)
        return f'<img src="{name}" alt="{link.text}" class="figure"/>'


def _tab(kind: str, url: str, title: str) -> str:
    return f'<tab type="{kind}" visible="yes" url="{url}" title="{title}"/>'


def _group(url: str, title: str, entries: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield f'<tab type="usergroup" visible="yes" url="{url}" title="{title}">'
    for entry in entries:
        yield _tab("user", *entry)
    yield "</tab>"


def _labs() -> str:
    lines = ["# Labs {#labs}", "", "| lab | what it is about | points |", "| --- | --- | --- |"]
    for page in handouts():
        the_lab = lab.load(page.path.parent.name)
        points = ", ".join(f"{c.name} {c.points:g}" for c in the_lab.criteria)
        lines.append(f"| [{the_lab.name}](@ref {page.label}) | {the_lab.title} | {points} |")
    lines += [
        "",
        "This is the course's order; `diff` is the smallest. Each lab is a handout, a contract, a",
    ]
    lines += ["skeleton to fill in, and tests: `./tilelab check LAB` shows how far you are.", ""]
    return "\n".join(lines)


def _results() -> str:
    return "".join(f"\n- [{page.title}](@ref {page.label})" for page in results()) + "\n"


def _api() -> str:
    lines = ["# API {#api}", "", "## Contracts of the labs {#api__contracts}", ""]
    for header in contracts():
        title = lab.load(header.parent.name).title
        lines.append(f"- [{header.name}](@ref {header.relative_to(REPO).as_posix()}): {title}")
    lines += ["", "## Headers of common {#api__common}", ""]
    lines += [
        "A lab's tests include `judge/lab.h`; [the test of `diff`](@ref instructor__6-the-tests)"
    ]
    lines += ["shows most of what it offers.", ""]
    lines += [f"- [{name.removeprefix('common/')}](@ref {name})" for name in API_HEADERS]
    return "\n".join([*lines, ""])


def _files() -> str:
    """Doxygen lists what a header declares only if the header itself is documented."""
    blocks = []
    for header in contracts():
        title = lab.load(header.parent.name).title
        blocks.append((header.relative_to(REPO).as_posix(), f"The contract of a lab: {title}."))
    blocks += [(name, "") for name in API_HEADERS]
    return "\n".join(f"/** @file {name}\n *  {brief}\n */" for name, brief in blocks)

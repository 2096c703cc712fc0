"""The documentation builds without a warning, has no dead link, and its figures are current."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support import REPO
from tilelab.base.errors import InfraError
from tilelab.score import lab
from tilelab.site import doxygen, markdown, pages
from tilelab.site.figures import FIGURES as DRAWN

TOOLS = doxygen.find_tools()
needs_doxygen = pytest.mark.skipif(
    TOOLS is None, reason="doxygen or doxygen-awesome-css is not installed"
)
FIGURES = REPO / "docs" / "figures"
_IN_SCRIPT = re.compile(r'"([\w.-]+\.html)(?:#[\w-]+)?"')


class Html(HTMLParser):
    """The links of a page, and the names that links can point to."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if value is None:
                continue
            if key in ("href", "src", "data"):
                self.links.append(value)
            if key == "id" or (key == "name" and tag == "a"):
                self.anchors.add(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a site that was built without a warning."""
    assert TOOLS is not None
    try:
        return doxygen.build(TOOLS, tmp_path_factory.mktemp("docs")).parent
    except InfraError as error:
        pytest.fail(str(error))


def dead_links(folder: Path) -> Iterator[str]:
    read = {path: Html(path) for path in folder.glob("**/*.html")}
    for path, page in read.items():
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = path.parent / unquote(parts.path) if parts.path else path
            anchor = unquote(parts.fragment) if target.suffix == ".html" else ""
            if not target.exists() or (anchor and anchor not in read[target].anchors):
                yield f"{path.name}: {link}"
    # The menu and the tree next to each page are made from data. After those of the tree come keys
    # of an index, which nobody can click.
    for script in (folder / "menudata.js", folder / "navtreedata.js"):
        data = script.read_text(encoding="utf-8").partition("NAVTREEINDEX")[0]
        for name in _IN_SCRIPT.findall(data):
            if not (folder / name).exists():
                yield f"{script.name}: {name}"


@needs_doxygen
def test_no_link_of_the_site_is_dead(site: Path) -> None:
    assert list(dead_links(site)) == []


@needs_doxygen
def test_every_page_is_there_with_its_figures(site: Path) -> None:
    home = Html(site / "index.html")
    for page in pages.all_pages()[1:]:
        text = (site / f"{page.label}.html").read_text(encoding="utf-8")
        assert page.title in text
        assert "@ref" not in text and "](" not in text, f"{page.path}: a link that was not one"
        images = sum(link.is_image for link in markdown.links(page.text, page.path))
        assert text.count('class="figure"') == images
    assert {f"{name}.html" for name in pages.GUIDES} <= set(home.links)


def test_the_labs_come_in_the_course_s_order() -> None:
    in_order = [f"lab_{one.name}" for one in lab.course()]
    assert in_order[:2] == ["lab_first_kernel", "lab_diff"] and sorted(in_order) != in_order
    found = re.findall(r"@ref (lab_\w+)", pages.navigation())
    assert (found, re.findall(r"@ref (lab_\w+)", pages._labs())) == (in_order, in_order)


@needs_doxygen
@pytest.mark.parametrize("name", lab.all_labs())
def test_every_contract_is_part_of_the_api(site: Path, name: str) -> None:
    # Doxygen doubles the underscores of a file's name.
    page = site / f"{name.replace('_', '__')}_8h.html"
    assert f"labs/{name}/{name}.h" in page.read_text(encoding="utf-8")
    assert page.name in Html(site / "api.html").links


@needs_doxygen
def test_a_warning_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert TOOLS is not None
    wrong = tmp_path / "wrong.md"
    wrong.write_text("# Wrong\n\nSee @ref nothing_of_this_name.\n")
    monkeypatch.setattr(pages, "guides", lambda: [])
    monkeypatch.setattr(pages, "write", lambda folder: [wrong])
    (tmp_path / "out" / "pages" / "images").mkdir(parents=True)
    with pytest.raises(InfraError, match="nothing_of_this_name"):
        doxygen.build(TOOLS, tmp_path / "out")


def test_without_doxygen_it_prints_the_one_command(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-P", "-m", "tilelab", "docs"],
        env={**os.environ, "PYTHONPATH": str(REPO / "grading"), "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2
    assert (
        "apt-get install -y --no-install-recommends doxygen doxygen-awesome-css\n" in result.stderr
    )


def markdown_files() -> list[Path]:
    folders = ("docs", "labs", "solutions")
    listed = [path for folder in folders for path in (REPO / folder).glob("**/*.md")]
    return sorted([*REPO.glob("*.md"), *listed])


@pytest.mark.parametrize("path", markdown_files(), ids=lambda path: str(path.relative_to(REPO)))
def test_no_link_of_a_markdown_file_is_dead(path: Path) -> None:
    for link in markdown.links(path.read_text(encoding="utf-8"), path):
        if link.target is None:
            continue
        where = f"{path}:{link.line}: {link.address}"
        assert link.target.exists(), where
        if link.anchor:
            assert link.anchor in markdown.anchors(link.target.read_text(encoding="utf-8")), where


def test_links_outside_of_code_become_references() -> None:
    text = "# A `b`\n\n## C: d\n\nsee [x](y.md#z), `[x](y.md)` and\n\n    [x](y.md)\n"
    path = Path("/repo/docs/a.md")
    found = markdown.links(text, path)
    assert [(one.target, one.anchor) for one in found] == [(Path("/repo/docs/y.md"), "z")]
    converted = markdown.for_doxygen(text, path, "a", lambda link: f"<{link.text}>")
    assert converted == (
        "# A b {#a}\n@tableofcontents{HTML:2}\n## C: d {#a__c-d}\n\n"
        "see <x>, `[x](y.md)` and\n\n    [x](y.md)\n"
    )


def test_equal_headings_have_different_anchors() -> None:
    assert markdown.anchors("# A\n## It is `b_c`!\n```\n# no\n```\n## It is b_c\n") == [
        "a",
        "it-is-b_c",
        "it-is-b_c-1",
    ]


def test_the_figures_are_what_the_script_draws() -> None:
    drawn = {name: figure().svg() for name, figure in DRAWN.items()}
    kept = {path.stem: path.read_text(encoding="utf-8") for path in FIGURES.glob("*.svg")}
    assert kept == drawn, "run: PYTHONPATH=grading python3 -P -m tilelab.site.figures"


@pytest.mark.parametrize("name", lab.all_labs())
def test_every_lab_has_a_figure(name: str) -> None:
    assert (FIGURES / f"{name}.svg").is_file()

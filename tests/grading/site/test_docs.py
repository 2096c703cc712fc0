"""The documentation builds without a warning, has no dead link, and its figures are current."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import xml.etree.ElementTree as xml
from collections.abc import Iterator
from html import escape, unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from support import PRESENTED_LABS, REPO
from tilelab.base.errors import InfraError
from tilelab.labs import lab
from tilelab.site import dark, doxygen, markdown, menu, pages, render, writing
from tilelab.site.figures import FIGURES as DRAWN

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


def test_no_link_of_the_site_is_dead(site: Path) -> None:
    assert list(dead_links(site)) == []


def test_every_page_is_there_with_its_figures(site: Path) -> None:
    home = Html(site / "index.html")
    for page in pages.all_pages():
        text = (site / f"{page.label}.html").read_text(encoding="utf-8")
        assert escape(page.title, quote=False) in text
        images = [link for link in markdown.links(page.text, page.path) if link.is_image]
        shown = len(re.findall(r'class="figure(?: by-day)?"', text))
        assert shown == len(images), f"{page.path}: {images}"
    assert {f"{name}.html" for name in pages.GUIDES} <= set(home.links)


def test_the_labs_come_in_the_course_s_order() -> None:
    in_order = [f"lab_{one.name}" for one in lab.course()]
    first = [f"lab_{name}" for name in PRESENTED_LABS]
    assert [label for label in in_order if label in first] == first and sorted(first) != first
    assert re.findall(r"@ref (lab_\w+)", menu.navigation()) == in_order
    listed = markdown.links(pages.index_of_labs().text, pages.index_of_labs().path)
    assert [f"lab_{link.text}" for link in listed] == in_order


@pytest.mark.parametrize("name", lab.all_labs())
def test_every_file_of_a_lab_has_its_code_and_explanation_on_a_page(site: Path, name: str) -> None:
    the_lab = lab.load(name)
    given = [path for path in (the_lab.skeleton, the_lab.baseline) if path.is_file()]
    for path in [*given, the_lab.reference, *the_lab.ladder]:
        page = next(page for page in pages.all_pages() if path in (page.path, *page.listed))
        words = words_of(site / f"{page.label}.html")
        explanation, _, code = path.read_text(encoding="utf-8").partition("\n\n")
        assert words_only(code) in words, path
        if explanation.startswith("// "):
            first = explanation.partition("\n")[0].removeprefix("// ")
            assert words_only(first.replace("`", "")) in words, path


def words_of(page: Path) -> str:
    """A page's text, without tags and without space."""
    html = page.read_text(encoding="utf-8").partition("<body>")[2]
    return words_only(unescape(re.sub(r"<[^>]*>", "", html)))


def words_only(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("name", lab.all_labs())
def test_every_contract_is_part_of_the_api(site: Path, name: str) -> None:
    # Doxygen doubles the underscores of a file's name.
    page = site / f"{name.replace('_', '__')}_8h.html"
    assert f"labs/{name}/{name}.h" in page.read_text(encoding="utf-8")
    assert page.name in Html(site / "api.html").links


def test_a_warning_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tools = doxygen.find_tools()
    if tools is None:
        pytest.skip("doxygen, doxygen-awesome-css or libjs-lunr is not installed")
    wrong = tmp_path / "wrong.md"
    wrong.write_text("# Wrong\n\nSee @ref nothing_of_this_name.\n")
    monkeypatch.setattr(menu, "navigation", lambda: "<navindex/>")
    monkeypatch.setattr(writing, "write", lambda folder: writing.Written([wrong]))
    (tmp_path / "out" / "pages" / "images").mkdir(parents=True)
    with pytest.raises(InfraError, match="nothing_of_this_name"):
        doxygen.build(tools, tmp_path / "out")


def test_without_doxygen_it_prints_the_one_command(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-P", "-m", "tilelab", "docs"],
        env={**os.environ, "PYTHONPATH": str(REPO / "grading"), "PATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert result.returncode == 2
    packages = "doxygen doxygen-awesome-css libjs-lunr"
    assert f"apt-get install -y --no-install-recommends {packages}\n" in result.stderr


def markdown_files() -> list[Path]:
    folders = ("common", "docs", "labs", "solutions")
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


def rendered(text: str) -> list[render.Section]:
    """The sections of a text in which each link leads to its target's name."""
    path = Path("/repo/docs/a.md")
    return render.sections(
        text,
        path,
        lambda link: link.target.name if link.target and link.target != path else None,
        lambda link: f"<img alt='{link.text}'>",
    )


def test_links_outside_of_code_lead_somewhere() -> None:
    text = "# A `b`\n\nsee [x](y.md#z), [no](a.md), `[x](y.md)` and ![p](p.svg)\n\n    [x](y.md)\n"
    found = markdown.links(text, Path("/repo/docs/a.md"))
    assert [(one.target, one.anchor, one.line) for one in found] == [
        (Path("/repo/docs/y.md"), "z", 3),
        (Path("/repo/docs/a.md"), "", 3),
        (Path("/repo/docs/p.svg"), "", 3),
    ]
    (section,) = rendered(text)
    assert (section.heading, section.anchor) == ("A b", "a-b")
    assert section.html.startswith(
        "<p>see <a href=\"y.md\">x</a>, no, <code>[x](y.md)</code> and <img alt='p'></p>"
    )
    assert section.html.count("<a ") == 1


def test_lists_keep_their_numbers() -> None:
    (section,) = rendered("# Tasks\n\n1. one\n2. two\n\nThen\n\n3. three\n")
    assert section.html.count("<ol") == 2 and '<ol start="3">' in section.html


@pytest.mark.parametrize(
    ("cell", "is_number"),
    [
        *((words, True) for words in ("1.004", "-3 %", "0.8292 ms", "64 KiB", "2^25", "12,288")),
        *((words, False) for words in ("2 tile, as in the lecture", "cub", "n", "3 of the labs")),
    ],
)
def test_numbers_in_tables_do_not_wrap(cell: str, is_number: bool) -> None:
    (section,) = rendered(f"# T\n\n| a |\n| --- |\n| {cell} |\n")
    assert ('<td class="number">' in section.html) == is_number


def test_code_is_colored_by_its_language() -> None:
    (section,) = rendered("# C\n\n    __global__ void f(int n);\n\nand\n\n    out[0] = in[0]\n")
    first, second = re.findall(r"<pre.*?</pre>", section.html, flags=re.DOTALL)
    assert '<span class="k' in first and "<span" not in second.replace("<span></span>", "")


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


@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_every_lab_has_a_figure(name: str) -> None:
    assert (FIGURES / f"{name}.svg").is_file()


@pytest.mark.parametrize("svg", sorted((REPO / "docs").glob("*/*.svg")), ids=lambda svg: svg.stem)
def test_a_dark_figure_has_light_ink(svg: Path) -> None:
    drawn = svg.read_text(encoding="utf-8")
    twin = dark.twin(drawn)
    xml.fromstring(twin)
    assert "#ffffff" not in twin and twin.count("\n") == drawn.count("\n")


def test_lightness_is_reversed_and_hue_kept() -> None:
    twin = dark.twin('<svg width="1"><rect fill="#ffffff" stroke="#cfe6fb"/></svg>')
    assert '<svg fill="#f0f0f0" width="1"><rect fill="#1c1c1c"' in twin
    stroke = twin.partition('stroke="#')[2][:6]
    red, green, blue = (int(stroke[at : at + 2], 16) for at in (0, 2, 4))
    assert red < green < blue < 100

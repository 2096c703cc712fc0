"""The site has all pages, no dead link, and loads nothing from elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from urllib.parse import unquote, urlsplit

import pytest

import markdown_files
import typed
from support import PRESENTED_LABS, REPO
from tilelab.base.errors import InfraError
from tilelab.base.repository import BUILD
from tilelab.base.version import version
from tilelab.labs import lab
from tilelab.model.course import Course
from tilelab.publish import folder, repository
from tilelab.site import building, pages, writing

_LOADED = re.compile(r"""<(?:script|link|img|iframe)\b[^>]*?\s(?:src|href)=["']?([^"'\s>]+)""")


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


def dead_links(site: Path) -> Iterator[str]:
    read = {path: Html(path) for path in site.glob("**/*.html")}
    for path, page in read.items():
        # MkDocs writes it for servers, which show it at any address.
        for link in page.links if path.name != "404.html" else ():
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            anchor = unquote(parts.fragment) if target.suffix == ".html" else ""
            if not target.exists() or (anchor and anchor not in read[target].anchors):
                yield f"{path.relative_to(site)}: {link}"


def html_of(place: PurePosixPath, site: Path) -> Path:
    """The file of a page that lies at a place in the repository."""
    path = site / place
    return path.with_name("index.html" if path.name == "README.md" else f"{path.stem}.html")


def content(path: Path) -> str:
    """A page without its menus, table of contents and footer."""
    text = path.read_text(encoding="utf-8")
    return text[text.index("<article") : text.index("</article>")]


def words_of(html: str) -> str:
    return words_only(unescape(re.sub(r"<[^>]*>", "", html)))


def words_only(text: str) -> str:
    return "".join(text.split())


def test_no_link_of_the_site_is_dead(site: Path) -> None:
    assert list(dead_links(site)) == []


def test_the_site_loads_nothing_from_elsewhere(site: Path) -> None:
    for path in site.glob("**/*.html"):
        loaded = _LOADED.findall(path.read_text(encoding="utf-8"))
        assert [one for one in loaded if "//" in one] == [], path
        # Which Material asks for the stars of a repository.
        assert 'data-md-component="source"' not in path.read_text(encoding="utf-8")
    for path in site.glob("**/*.css"):
        assert not re.search(r"url\(\W?(https?:)?//|@import", path.read_text(encoding="utf-8")), (
            path
        )


@pytest.mark.parametrize("place", pages.all_pages(), ids=str)
def test_a_page_says_what_github_shows(site: Path, place: PurePosixPath) -> None:
    """MkDocs reads another Markdown than GitHub: about lists and what is in them, for one."""
    shown = content(html_of(place, site)).replace("&para;", "")
    source = writing.text_of(pages.all_pages()[place], site, None)
    wanted = markdown_files.parser().render(source)
    for tag in ("h1", "h2", "h3", "ul", "ol", "li", "table", "td", "pre", "blockquote", "img"):
        assert shown.count(f"<{tag}>") + shown.count(f"<{tag} ") == (
            wanted.count(f"<{tag}>") + wanted.count(f"<{tag} ")
        ), tag
    assert words_of(shown).startswith(words_of(wanted))  # buttons may follow


def test_titles_are_words(site: Path) -> None:
    for one in lab.course():
        text = html_of(PurePosixPath("labs", one.name, "README.md"), site).read_text(
            encoding="utf-8"
        )
        assert f"<title>{one.title} - TileLab {version()}</title>" in text
        assert re.search(rf"<h1[^>]*>{one.title}<", text)


def test_readers_find_their_pages(site: Path) -> None:
    tabs = re.findall(
        r'md-tabs__link">\s*([^<]+?)\s*<', (site / "index.html").read_text(encoding="utf-8")
    )
    student = (site / "docs" / "student.html").read_text(encoding="utf-8")
    assert tabs == ["Home", "Student", "Instructor", "Contributor", "Reference"]
    menu = re.findall(r'href="\.\./labs/(\w+)/index\.html" class="md-nav__link', student)
    assert menu == [one.name for one in lab.course()]
    assert [name for name in menu if name in PRESENTED_LABS] == PRESENTED_LABS


@pytest.mark.parametrize("name", lab.all_labs())
def test_every_file_of_a_lab_has_its_code_and_explanation_on_a_page(site: Path, name: str) -> None:
    the_lab = lab.load(name)
    given = [path for path in (the_lab.skeleton, the_lab.baseline) if path.is_file()]
    mistakes = sorted((the_lab.solutions / "mistakes").glob("*.cu"))
    for path in [*given, the_lab.header, the_lab.reference, *the_lab.ladder, *mistakes]:
        source = path.relative_to(REPO)
        page = next(page for page in pages.all_pages().values() if source in page.shows)
        words = words_of(content(html_of(page.place, site)))
        text = path.read_text(encoding="utf-8")
        explanation, _, code = text.partition("\n\n") if text.startswith("//") else ("", "", text)
        assert words_only(code) in words, path
        if explanation:
            first = explanation.partition("\n")[0].removeprefix("// ")
            assert words_only(first.replace("`", "")) in words, path


@pytest.mark.parametrize("name", lab.all_labs())
def test_every_contract_is_part_of_the_api(site: Path, name: str) -> None:
    # Doxygen doubles the underscores of a file's name.
    page = site / "api" / f"{name.replace('_', '__')}_8h.html"
    assert f"labs/{name}/{name}.h" in page.read_text(encoding="utf-8")
    assert page.name in Html(site / "api" / "files.html").links


def test_the_api_leads_back_and_has_a_search(site: Path) -> None:
    assert "../index.html" in Html(site / "api" / "index.html").links
    index = "".join(path.read_text("utf-8") for path in (site / "api/search").glob("all_*.js"))
    assert "sector_excess" in index


def test_a_warning_is_an_error(
    tools: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def write(where: Path, _: str | None) -> None:
        (where / "README.md").write_text("# Page\n\n[no](nothing_of_this_name.md)\n")

    monkeypatch.setattr(writing, "write", write)
    monkeypatch.setattr(pages, "navigation", lambda _: ["README.md"])
    monkeypatch.setattr(building, "_describe_api", lambda _: None)
    with pytest.raises(InfraError, match="nothing_of_this_name"):
        building.build(tmp_path)


def test_links_to_files_without_a_page_lead_to_their_host() -> None:
    path = REPO / "docs" / "instructor.md"
    page = pages.Page(pages._in_repository(path), "[a](../tilelab) [b](nope.md) [c](student.md#x)")
    assert writing.text_of(page, REPO, None) == "a [b](nope.md) [c](student.md#x)"
    hosted = "[a](https://host/me/it/blob/main/tilelab) [b](nope.md) [c](student.md#x)"
    assert writing.text_of(page, REPO, "https://host/me/it") == hosted


@pytest.mark.parametrize(
    ("remote", "host"),
    [
        ("https://github.com/a/b.git", "https://github.com/a/b"),
        ("https://me:secret@github.com/a/b", "https://github.com/a/b"),
        ("git@gitlab.com:a/b/c.git", "https://gitlab.com/a/b/c"),
        ("/srv/a/b.git", None),
        ("", None),
    ],
)
def test_the_host_is_where_the_repository_came_from(remote: str, host: str | None) -> None:
    assert building.host_of(remote) == host


def test_without_doxygen_it_prints_the_one_command(tmp_path: Path) -> None:
    result = typed.run("docs", env=typed.environment(PATH=str(tmp_path)))
    assert result.returncode == 2
    assert "apt-get install -y --no-install-recommends doxygen\n" in result.stderr


@pytest.mark.thorough
def test_a_copy_for_students_has_a_site_without_solutions(tools: None, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    labs = [lab.load(name) for name in ("diff", "first_kernel")]
    folder.write(copy, repository.files(REPO, labs, Course(), {}))
    (copy / "build").mkdir(exist_ok=True)
    (copy / "build" / "docs-tools").symlink_to(BUILD / "docs-tools")
    typed.said(typed.run("docs", cwd=copy, env=typed.environment(copy)))
    site = copy / "build" / "docs" / "html"
    assert list(dead_links(site)) == []
    found = {str(path.relative_to(site)) for path in site.glob("**/*.html")}
    assert {"index.html", "labs/diff/index.html", "labs/diff/files.html"} <= found
    assert not [name for name in found if "solutions" in name or "CONTRIBUTING" in name]
    tabs = re.findall(r'md-tabs__link">\s*([^<]+?)\s*<', (site / "index.html").read_text())
    assert tabs == ["Home", "Student", "Reference"]


def markdown_paths() -> list[Path]:
    folders = ("common", "docs", "labs", "solutions")
    listed = [path for name in folders for path in (REPO / name).glob("**/*.md")]
    return sorted([*REPO.glob("*.md"), *listed])


@pytest.mark.parametrize("path", markdown_paths(), ids=lambda path: str(path.relative_to(REPO)))
def test_no_link_of_a_markdown_file_is_dead(path: Path) -> None:
    for link in markdown_files.links(path.read_text(encoding="utf-8"), path):
        if link.target is None:
            continue
        where = f"{path}:{link.line}: {link.address}"
        assert link.target.exists(), where
        if link.anchor:
            text = link.target.read_text(encoding="utf-8")
            assert link.anchor in markdown_files.anchors(text), where


def test_links_outside_of_code_are_found() -> None:
    text = "# A `b`\n\nsee [x](y.md#z), [no](a.md), `[x](y.md)` and ![p](p.svg)\n\n    [x](y.md)\n"
    found = markdown_files.links(text, Path("/repo/docs/a.md"))
    assert [(one.target, one.anchor, one.line) for one in found] == [
        (Path("/repo/docs/y.md"), "z", 3),
        (Path("/repo/docs/a.md"), "", 3),
        (Path("/repo/docs/p.svg"), "", 3),
    ]


def test_equal_headings_have_different_anchors() -> None:
    assert markdown_files.anchors("# A\n## It is `b_c`!\n```\n# no\n```\n## It is b_c\n") == [
        "a",
        "it-is-b_c",
        "it-is-b_c-1",
    ]


@pytest.mark.parametrize("name", PRESENTED_LABS)
def test_every_lab_has_a_figure(name: str) -> None:
    assert (REPO / "docs" / "figures" / f"{name}.svg").is_file()


@pytest.mark.parametrize("path", sorted((REPO / "docs").rglob("*.svg")), ids=lambda path: path.stem)
def test_pictures_of_terminals_stay_as_they_are_on_dark_pages(path: Path) -> None:
    style = (REPO / "docs" / "site" / "style.css").read_text(encoding="utf-8")
    is_dark = 'class="rich-terminal"' in path.read_text(encoding="utf-8")
    assert (f'[src$="{path.name}"]' in style) == is_dark

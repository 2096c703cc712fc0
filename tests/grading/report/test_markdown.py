"""Text from strangers in Markdown, as a renderer understands it."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from tilelab.report.markdown import code, fence, prose

HOSTILE = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "[click](javascript:alert(1))",
    "![x](https://evil.example/x.png)",
    "https://evil.example and www.evil.example",
    "@everyone look",
    "`` ` ``",
    "a ` <b>x</b> ` b@c",
    "```\n<b>out</b>",
    "# heading",
    "- item",
    "1. item",
    "| a | b |",
    "&lt;b&gt;",
    "<!-- hidden",
    "***bold*** __under__ ~~gone~~",
    "a\\",
    "\u202egnp.exe",
    "$x$ <b",
    "    four spaces",
]

_OURS = re.compile(r"</?(p|code|pre|ul|li)( class=\"language-\")?>")


def rendered(text: str) -> str:
    """The page, without what we put there ourselves."""
    renderer = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    return _OURS.sub("", renderer.render(text))


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("shown", [prose, code, fence])
def test_nothing_becomes_markup(text: str, shown: object) -> None:
    assert callable(shown)
    pages = [rendered(shown(text))]
    if shown is not fence:
        pages.append(rendered(f"- item\n  - {shown(text)}"))
    for page in pages:
        assert not re.search(r"<\w", page), page
        assert "\u202e" not in page


@pytest.mark.parametrize("text", ["https://a.example", "me@example.org", "www.a.example"])
def test_links_and_names_are_code(text: str) -> None:
    assert prose(f"see {text}") == f"`see {text}`"


def test_sentences_stay_as_they_are() -> None:
    says = "2.00 global loads per element (baseline 2.00, reference 1.01). It's 50%."
    assert prose(says) == says
    assert "s[0] &lt; 1_000" in rendered(prose("s[0] < 1_000"))


def test_a_fence_is_longer_than_what_it_holds() -> None:
    assert fence("a\n````\nb").splitlines() == ["`````", "a", "````", "b", "`````"]

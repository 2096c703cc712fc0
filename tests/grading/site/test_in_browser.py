"""What readers of the site see in a browser: search, dark mode, phones."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from browser import LIGHT, needs_chromium
from chromium import Chromium, Screen
from support import PRESENTED_LABS, REPO

pytestmark = [needs_chromium, pytest.mark.drawn(pool="pages in a browser", count=6)]

DESKTOP, NIGHT, PHONE = Screen(1280, 900), Screen(1280, 900, is_dark=True), Screen(390, 780)


SEARCH = """(async () => {
  const field = document.querySelector("[data-md-component=search-query]");
  field.focus();
  field.value = %s;
  field.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
  const said = document.querySelector(".md-search-result__meta");
  const before = said.textContent;
  for (let turn = 0; turn < 200 && said.textContent === before; ++turn)
    await new Promise((go) => setTimeout(go, 50));
  return [said.textContent.trim(), ...[...document.querySelectorAll(".md-search-result__link")]
    .map((link) => new URL(link.href).pathname + new URL(link.href).hash)];
})()"""


def found(browser: Chromium, site: Path, words: str) -> list[str]:
    """What the search says, and the addresses that it offers, best first."""
    browser.open((site / "index.html").as_uri(), DESKTOP)
    said, *addresses = browser.run(SEARCH % json.dumps(words))
    return [said, *(address.removeprefix(f"{site}/") for address in addresses)]


@pytest.mark.parametrize(
    ("words", "address"),
    [
        ("bank conflicts", "labs/transpose/index.html"),
        ("data race", "docs/student.html#data-races"),
        ("why fibers", "docs/design.html#why-fibers"),
        ("shfl_up_sync", "labs/diff/index.html#tasks"),
        ("histogram", "labs/histogram/index.html"),
    ],
)
def test_the_search_finds_sections(browser: Chromium, site: Path, words: str, address: str) -> None:
    _, *addresses = found(browser, site, words)
    assert address in [one.partition("?")[0] for one in addresses[:10]]


@pytest.mark.parametrize("words", ["tile", "bank", "barrier", "histogram", "float4"])
def test_lessons_come_before_code(browser: Chromium, site: Path, words: str) -> None:
    _, *addresses = found(browser, site, words)
    is_lesson = [bool(re.match(r"labs/\w+/index.html", one)) for one in addresses]
    is_code = [bool(re.match(r"solutions/\w+/|labs/\w+/files.html", one)) for one in addresses]
    assert True in is_lesson
    assert True not in is_code[: is_lesson.index(True)], addresses


def test_the_search_says_when_there_is_nothing(browser: Chromium, site: Path) -> None:
    assert found(browser, site, "zebra") == ["No matching documents"]


# The contrast between each text of the page and what is behind it, lowest first.
CONTRAST = (
    "(() => {"
    + LIGHT
    + """
const seen = [...document.querySelectorAll("article :is(p, td, th, li, code, pre span, h1)")]
  .filter((element) => element.textContent.trim() && element.offsetWidth)
  .map((element) => {
    const pair = [light(getComputedStyle(element).color), ground(element)].sort((a, b) => b - a);
    return [(pair[0] + 0.05) / (pair[1] + 0.05), element.textContent.slice(0, 30)];
  });
const figures = [...document.querySelectorAll("article img")].filter((image) => image.offsetWidth);
return {
  ground: ground(document.querySelector("article")),
  contrast: seen.sort((a, b) => a[0] - b[0]).slice(0, 5),
  texts: seen.length,
  figures: figures.map((image) => [
    image.getAttribute("src"), image.naturalWidth > 0, getComputedStyle(image).filter]),
};
})()"""
)


@pytest.mark.parametrize(
    ("page", "source"),
    [
        ("labs/diff/index.html", "labs/diff/README.md"),
        ("labs/diff/files.html", "docs/site/style.css"),
        ("docs/results/nvidia_h200.html", "docs/results/nvidia_h200.md"),
    ],
)
@pytest.mark.parametrize("screen", [DESKTOP, NIGHT])
def test_light_and_dark_pages_can_be_read(
    browser: Chromium, site: Path, page: str, source: str, screen: Screen
) -> None:
    browser.open((site / page).as_uri(), screen)
    seen = browser.run(CONTRAST)
    assert seen["ground"] < 0.1 if screen.is_dark else seen["ground"] > 0.8
    assert seen["texts"] > 20
    assert seen["contrast"][0][0] > 3.5, seen["contrast"]
    assert len(seen["figures"]) == (REPO / source).read_text(encoding="utf-8").count("\n![")
    for name, is_there, change in seen["figures"]:
        assert is_there, name
        is_made_dark = "-dark.png" in name or "invert" in change
        assert is_made_dark == screen.is_dark, name


# What is wider than the page, apart from what scrolls by itself, and how high numbers are.
NARROW = """(() => {
const all = [...document.querySelectorAll("header *, article *")];
const out = all.filter((element) => element.offsetWidth &&
  !element.closest(".md-typeset__scrollwrap, p:has(> img), pre, .md-tabs, .md-search") &&
  element.getBoundingClientRect().right > innerWidth + 1);
return {
  width: innerWidth,
  out: out.map((element) => element.outerHTML.slice(0, 100)),
  texts: all.length,
  small: [...document.querySelectorAll("article img")].filter((image) => image.offsetWidth &&
    image.offsetWidth < (image.src.endsWith(".svg") ? 560 : Math.min(image.naturalWidth, 560)))
    .map((image) => image.src),
  wrapped: [...document.querySelectorAll("td")]
    .filter((cell) => /^[-+<>~]?\\d[\\d.,^]*\\s(%|x|[a-zA-Z]{1,3})$/.test(cell.textContent))
    .filter((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect().height > 30;
    }).map((cell) => cell.textContent),
};
})()"""


@pytest.mark.parametrize(
    "page",
    [
        "index.html",
        "docs/student.html",
        "docs/screens.html",
        "docs/course.html",
        "docs/results/nvidia_h200.html",
        *(f"labs/{name}/index.html" for name in PRESENTED_LABS),
        *(f"solutions/{name}/mistakes.html" for name in PRESENTED_LABS),
    ],
)
def test_pages_fit_a_phone(browser: Chromium, site: Path, page: str) -> None:
    browser.open((site / page).as_uri(), PHONE)
    seen = browser.run(NARROW)
    assert seen["width"] == PHONE.width and seen["texts"] > 50
    assert (seen["out"], seen["wrapped"], seen["small"]) == ([], [], [])

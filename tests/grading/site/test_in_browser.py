"""What readers of the site see in a browser: search, dark mode, phones."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from browser import LIGHT, needs_chromium, show
from support import PRESENTED_LABS

PHONE = 390

# Runs when the page is complete, and leaves what it returns where the test finds it.
_PROBE = """
<pre id="probe"></pre>
<script>
addEventListener("load", () => setTimeout(async () => {
  const result = await (async () => { %s })();
  document.getElementById("probe").textContent = JSON.stringify(result);
}, 500));
</script>
"""


def ask(site: Path, profile: Path, page: str, script: str, width: int = 1280) -> Any:
    """Opens a page of the site and returns what the script in it returns."""
    html = (site / page).read_text(encoding="utf-8")
    # Chromium's windows are at least 500 pixels wide, frames are not.
    (site / "probed.html").write_text(
        html.replace("</body>", _PROBE % script + "</body>"), encoding="utf-8"
    )
    dom = show(site / "probed.html", profile, width=width)
    found = re.search(r'<pre id="probe">(.*?)</pre>', dom, flags=re.DOTALL)
    assert found and found[1], "the script in the page did not end"
    return json.loads(unescape(found[1]))


SEARCH = """
const field = document.getElementById("MSearchField");
field.value = %s;
field.dispatchEvent(new Event("input"));
const list = document.getElementById("site-results");
for (let turn = 0; turn < 100 && list.hidden; ++turn) await new Promise((go) => setTimeout(go, 50));
return [...list.querySelectorAll("a")].map((link) => [
  link.querySelector("strong").textContent,
  link.getAttribute("href"),
  [...link.querySelectorAll("mark")].map((mark) => mark.textContent),
]);
"""


@needs_chromium
@pytest.mark.parametrize(
    ("words", "heading", "address"),
    [
        ("bank", "Wavefronts and bank conflicts", "student.html#student__wavefronts"),
        ("bank conflicts", "Wavefronts and bank conflicts", "student.html#student__wavefronts"),
        ("data race", "Data races", "student.html#student__data-races"),
        ("why fibers", "Why fibers", "design.html#design__why-fibers"),
        ("shfl_up_sync", "Tasks", "lab_diff.html#lab_diff__tasks"),
        ("sector_excess", "sector_excess", "namespacetilelab.html"),
    ],
)
def test_the_search_finds_sections(
    site: Path, tmp_path: Path, words: str, heading: str, address: str
) -> None:
    found = ask(site, tmp_path, "index.html", SEARCH % json.dumps(words))
    assert any(title == heading and url.startswith(address) for title, url, _ in found[:3]), found
    for _, url, _ in found:
        assert (site / url.partition("#")[0]).is_file()


# What lies on top at the corners of the results.
ON_TOP = (
    SEARCH.partition("return [")[0]
    + """
const { left, top, width } = list.getBoundingClientRect();
return [10, 14, 18, width - 30].map((x) => [10, 14, 18].every(
  (y) => list.contains(document.elementFromPoint(left + x, top + y))));
"""
)


@needs_chromium
@pytest.mark.parametrize("width", [PHONE, 1280])
def test_nothing_covers_the_results_of_a_search(site: Path, tmp_path: Path, width: int) -> None:
    assert ask(site, tmp_path, "index.html", ON_TOP % '"bank"', width) == [True] * 4


@needs_chromium
def test_the_search_says_when_there_is_nothing(site: Path, tmp_path: Path) -> None:
    script = SEARCH.replace("return [", "return list.textContent; [") % '"zebra"'
    assert ask(site, tmp_path, "index.html", script) == "Nothing found."


# The contrast between each text of the page and what is behind it, lowest first.
CONTRAST = (
    LIGHT
    + """
DoxygenAwesomeDarkModeToggle.enableDarkMode(%s);
await new Promise((go) => setTimeout(go, 500));
const seen = [...document.querySelectorAll(".contents :is(p, td, th, li, code, pre, pre span, h1)")]
  .filter((element) => element.textContent.trim() && element.offsetWidth)
  .map((element) => {
    const pair = [light(getComputedStyle(element).color), ground(element)].sort((a, b) => b - a);
    return [(pair[0] + 0.05) / (pair[1] + 0.05), element.textContent.slice(0, 30)];
  });
const figures = [...document.querySelectorAll("img.figure")].filter((image) => image.offsetWidth);
return {
  ground: ground(document.querySelector(".contents")),
  contrast: seen.sort((a, b) => a[0] - b[0]).slice(0, 5),
  texts: seen.length,
  figures: figures.map((image) => [image.getAttribute("src"), image.naturalWidth > 0]),
};
"""
)


@needs_chromium
@pytest.mark.parametrize("page", ["lab_diff.html", "files_diff.html", "results_nvidia_h200.html"])
@pytest.mark.parametrize("is_dark", [False, True])
def test_light_and_dark_pages_can_be_read(
    site: Path, tmp_path: Path, page: str, is_dark: bool
) -> None:
    seen = ask(site, tmp_path, page, CONTRAST % json.dumps(is_dark))
    assert seen["ground"] < 0.1 if is_dark else seen["ground"] > 0.8
    assert seen["texts"] > 20
    assert seen["contrast"][0][0] > 3.5, seen["contrast"]
    for source, is_there in seen["figures"]:
        assert is_there and source.startswith("dark-") == is_dark, source
    shown = (site / page).read_text(encoding="utf-8").count("by-night")
    assert len(seen["figures"]) == shown


# What is wider than the page, apart from what scrolls by itself, and how high numbers are.
NARROW = f"""
document.body.style.width = "{PHONE}px";
await new Promise((go) => setTimeout(go, 300));
const all = [...document.querySelectorAll("#top *, #doc-content *")];
const out = all.filter((element) => !element.closest(".wide, .figures, pre, #main-menu") &&
  getComputedStyle(element).position !== "fixed" &&
  element.getBoundingClientRect().right > {PHONE} + 1);
const numbers = [...document.querySelectorAll("td.number")];
return {{
  out: out.map((element) => element.outerHTML.slice(0, 100)),
  texts: all.length,
  numbers: numbers.length,
  small: [...document.querySelectorAll("img.figure")].filter((image) => image.offsetWidth &&
    image.offsetWidth < (image.src.endsWith(".svg") ? 560 : Math.min(image.naturalWidth, 560)))
    .map((image) => image.src),
  wrapped: numbers.filter((cell) => {{
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect().height > 30;
  }}).map((cell) => cell.textContent),
}};
"""


@needs_chromium
@pytest.mark.parametrize(
    "page",
    [
        "index.html",
        "student.html",
        "screens.html",
        "labs.html",
        "results_nvidia_h200.html",
        *(f"{kind}_{name}.html" for name in PRESENTED_LABS for kind in ("lab", "solutions")),
    ],
)
def test_pages_fit_a_phone(site: Path, tmp_path: Path, page: str) -> None:
    seen = ask(site, tmp_path, page, NARROW, width=PHONE)
    assert seen["texts"] > 50
    assert (seen["out"], seen["wrapped"], seen["small"]) == ([], [], [])
    if page.startswith("results"):
        assert seen["numbers"] > 100


MENU = """
await new Promise((go) => setTimeout(go, 1000));
const labels = [...document.querySelectorAll("#nav-tree .label a")];
return labels.map((link) => [
  link.textContent,
  link.scrollWidth <= link.clientWidth + 1,
  link.getBoundingClientRect().right <= document.getElementById("nav-tree").clientWidth + 1,
]);
"""


@needs_chromium
def test_the_menu_shows_whole_titles(site: Path, tmp_path: Path) -> None:
    seen = ask(site, tmp_path, "solution_nearest_neighbor_03_tile_float4.html", MENU)
    assert any("Step 3" in title for title, *_ in seen)
    assert [title for title, *fits in seen if not all(fits)] == []

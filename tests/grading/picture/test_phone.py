"""The page of a picture on a phone and in the dark."""

from __future__ import annotations

from typing import Any

import pytest

from browser import LIGHT, needs_chromium
from chromium import Chromium, Screen
from support import REPO
from tilelab.labs import lab
from tilelab.picture import run
from tilelab.picture.page import page
from tilelab.pipeline.harness.session import Session

pytestmark = pytest.mark.drawn(pool="pictures on a phone", count=3)

PHONE = 390

# A kernel of each lab, and the state that has the longest words or the widest drawing.
STATES = {
    "first_kernel/mistakes/guard_forgotten.cu": "block=2&position=2",
    "diff/ladder/02_tile.cu": "block=1&position=2",
    "transpose/ladder/03_padded.cu": "block=1&position=4",
    "pipeline/ladder/03_two_stages.cu": "block=0&position=10",
    "nearest_neighbor/mistakes/missing_second_barrier.cu": "block=0&position=23",
    "nbody/ladder/03_tile.cu": "block=0&position=18",
    "derivatives/ladder/03_large_pencils.cu": "position=40",
}


@pytest.fixture(scope="module")
def pages(emulator: Session, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The address of each page."""
    folder = tmp_path_factory.mktemp("pages")
    addresses = {}
    for file, state in STATES.items():
        path = REPO / "solutions" / file
        picture = run.draw(path, lab.load(file.partition("/")[0]), emulator, None, 4)
        target = folder / f"{path.stem}.html"
        target.write_text(page(picture, f"./tilelab show {file}"), encoding="utf-8")
        addresses[file] = f"{target.as_uri()}#{state}"
    return addresses


# What is wider than the page, and the words of drawings that are cut off or shrunk.
MISFITS = """
[...document.querySelectorAll("body *")]
  .filter((one) => !one.closest(".scrolls, .source"))
  .filter((one) => one.getBoundingClientRect().right > document.body.clientWidth + 1)
  .map((one) => `${one.tagName} is too wide`)
.concat([...document.querySelectorAll("svg")].flatMap((drawing) => {
  const frame = drawing.getBoundingClientRect();
  const shrunk = Math.abs(frame.width - drawing.getAttribute("width")) > 1;
  return [...drawing.querySelectorAll("text")].filter((text) => {
    const box = text.getBoundingClientRect();
    return box.width > 0 && (shrunk || box.left < frame.left - 1 || box.right > frame.right + 1 ||
                             box.top < frame.top - 1 || box.bottom > frame.bottom + 1);
  }).map((text) => `${text.textContent} is cut`);
}))
"""


@needs_chromium
@pytest.mark.parametrize("file", STATES)
@pytest.mark.parametrize("width", [PHONE, 600, 1280])
def test_nothing_is_cut(browser: Chromium, pages: dict[str, str], file: str, width: int) -> None:
    browser.open(pages[file], Screen(width, 844))
    assert browser.run("document.querySelectorAll('svg text').length") > 10
    assert browser.run(MISFITS) == []


# The numbers of slots that an arrow lies on.
HIDDEN = """
[...document.querySelectorAll("svg .arrow")].flatMap((arrow) => {
  const tip = arrow.getBoundingClientRect();
  return [...arrow.ownerSVGElement.querySelectorAll("text.tiny")].filter((text) => {
    const box = text.getBoundingClientRect();
    return tip.left < box.right && box.left < tip.right &&
           tip.top < box.bottom - 3 && box.top + 3 < tip.bottom;
  }).map((text) => text.textContent);
})
"""


@needs_chromium
def test_arrows_leave_the_numbers_of_slots_in_sight(
    browser: Chromium, pages: dict[str, str]
) -> None:
    for file in ("nearest_neighbor/mistakes/missing_second_barrier.cu", "nbody/ladder/03_tile.cu"):
        browser.open(pages[file], Screen(1280, 844))
        assert browser.run("document.querySelectorAll('svg .arrow').length") == 4
        assert browser.run(HIDDEN) == []


@needs_chromium
def test_the_sides_of_a_race_have_no_barrier_between_them(
    browser: Chromium, pages: dict[str, str]
) -> None:
    browser.open(pages["nearest_neighbor/mistakes/missing_second_barrier.cu"], Screen(1280, 844))
    assert "This is one side of a data race." in browser.run("document.body.innerText")
    # In the timeline, a barrier is a wall between steps.
    races, walls = (
        browser.run(f"[...document.querySelectorAll('.timeline .{name}')].map((one) => +one.{x})")
        for name, x in (("race", "getAttribute('x')"), ("wall", "getAttribute('x')"))
    )
    assert len(races) == 6
    assert not [wall for wall in walls if min(races) < wall < max(races)]


# The contrast of the words of the page, and of its drawings, with their ground: the lowest.
CONTRAST = f"""
(() => {{
  {LIGHT}
  const found = [...document.querySelectorAll("p, code, td, th, li, h1, h2, h3, button, svg text")]
    .filter((one) => one.textContent.trim() && !one.matches(".inverse"))
    .map((one) => {{
      const style = getComputedStyle(one);
      const color = one.ownerSVGElement ? style.fill : style.color;
      const [high, low] = [light(color), ground(one)].sort((a, b) => b - a);
      return [(high + 0.05) / (low + 0.05), one.textContent.slice(0, 30)];
    }});
  return found.sort((a, b) => a[0] - b[0])[0];
}})()
"""


@needs_chromium
@pytest.mark.parametrize("is_dark", [False, True])
def test_light_and_dark_pages_can_be_read(
    browser: Chromium, pages: dict[str, str], is_dark: bool
) -> None:
    for address in pages.values():
        browser.open(address, Screen(1280, 844, is_dark))
        lowest: list[Any] = browser.run(CONTRAST)
        assert lowest[0] > 4, lowest
        paper = browser.run("getComputedStyle(document.body).backgroundColor")
        assert paper == ("rgb(20, 23, 27)" if is_dark else "rgb(255, 255, 255)")

"""Screenshots of pages: on a desktop, on a phone, in the dark."""

from __future__ import annotations

import dataclasses

import made_up_class
import png
from chromium import Chromium, Screen
from pages import page_of
from tilelab.base.repository import REPO

_FOLDER = REPO / "docs" / "screens"
_SCREENS = {
    "desktop": Screen(1180, 780),
    "phone": Screen(390, 780),
    # Not "dark", which is what dark pages of the site show instead of another picture.
    "night": Screen(1180, 780, is_dark=True),
}

# A kernel of each lab, and the state of its page.
_SHOWS = {
    "first_kernel": ("mistakes/guard_forgotten.cu", "block=2&position=0"),
    "diff": ("ladder/02_tile.cu", "block=1&position=4"),
    "transpose": ("ladder/02_tile.cu", "block=1&position=3"),
    "reduction": ("ladder/01_divergent.cu", "block=0&position=4"),
    "scan": ("ladder/07_look_back.cu", "block=2&position=11"),
    "nearest_neighbor": ("mistakes/missing_second_barrier.cu", "block=0&position=23"),
    "matmul": ("ladder/02_tile.cu", "block=1&position=5"),
    "nbody": ("ladder/03_tile.cu", "block=0&position=18&compare=1"),
    "histogram": ("ladder/02_block.cu", "block=0&position=66"),
    "derivatives": ("ladder/02_small_pencils.cu", "call=1&position=0"),
    "pipeline": ("ladder/03_two_stages.cu", "block=0&position=10"),
}

# A phone shows the picture first: whoever looks at a step has scrolled to it.
_TO_THE_STEP = "document.querySelector('.controls').scrollIntoView()"

# Of the made-up class: two threads race, and the page marks both lines.
_FEEDBACK = "feedback/hugo_birch/diff.html"


def _high(screen: Screen) -> Screen:
    return dataclasses.replace(screen, height=1080)


def _to(heading: str) -> str:
    return f"""[...document.querySelectorAll("h2")].find((one) => one.textContent === "{heading}")
      .scrollIntoView()"""


def draw_shows(browser: Chromium) -> None:
    for lab, (file, state) in _SHOWS.items():
        address = f"{page_of(lab, file).as_uri()}#{state}"
        for kind, screen in _SCREENS.items():
            browser.open(address, screen)
            if screen.is_phone:
                browser.run(_TO_THE_STEP)
            _write(browser, f"show/{kind}/{lab}")


def draw_class(browser: Chromium) -> None:
    """The pages about a class, which is graded for that."""
    results = made_up_class.results()
    report = results / "report" / "index.html"
    for kind, screen in _SCREENS.items():
        # A window as high as the numbers, the charts and a part of the table.
        browser.open(report.as_uri(), screen if screen.is_phone else _high(screen))
        if screen.is_phone:
            browser.run(_to("Everybody"))
        _write(browser, f"class/report-{kind}")
        browser.open((results / _FEEDBACK).as_uri(), screen)
        browser.run(_to("What to fix" if not screen.is_phone else "Your file"))
        _write(browser, f"class/feedback-{kind}")
    browser.open(report.as_uri(), _SCREENS["desktop"])
    browser.run(_to("Mistakes that were recognized"))
    _write(browser, "class/mistakes-desktop")


def _write(browser: Chromium, name: str) -> None:
    words = str(browser.run("document.title"))
    path = _FOLDER / f"{name}.png"
    path.parent.mkdir(parents=True, exist_ok=True)
    png.write(path, [browser.draw()], words)

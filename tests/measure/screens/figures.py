"""The pictures of kernels at work in the handouts: parts of the page of `tilelab show`."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import png
from chromium import Chromium, Screen
from pages import page_of
from tilelab.base.repository import REPO

_FOLDER = REPO / "docs" / "figures" / "show"
_WIDTH = 600  # of the window, so that the page has one column
_DENSITY = 1.5
_MARGIN = 6


@dataclass(frozen=True)
class Part:
    """What of a page goes into a picture: from the top of one element to the bottom of another."""

    first: str
    last: str


@dataclass(frozen=True)
class Shot:
    """A kernel in a state of its page."""

    file: str  # in solutions/LAB
    state: str
    parts: tuple[Part, ...]


_STEP = Part(".sentence", ".sentence")
_STAGE = Part(".sentence", ".stage")
_REQUEST = Part("h3:has(+ .request)", ".request")

FIGURES: dict[str, tuple[Shot, ...]] = {
    # The last block has two threads more than elements.
    "first_kernel": (Shot("first_kernel.cu", "block=2&position=2", (_STAGE,)),),
    # The left neighbor of a block's first thread is not in its tile.
    "diff": (Shot("ladder/02_tile.cu", "block=1&position=4", (_STAGE,)),),
    # The columns of a tile become rows, in another place.
    "transpose": (Shot("ladder/03_padded.cu", "block=1&position=4", (_STAGE,)),),
    # The second half of a tile is added to the first.
    "reduction": (Shot("ladder/03_sequential.cu", "block=0&position=4", (_STAGE,)),),
    # Each thread adds the slot of its left neighbor, and stores in the other buffer.
    "scan": (Shot("ladder/02_two_buffers.cu", "block=1&position=3", (_STAGE,)),),
    # The next tile goes into slots that another thread still has to read.
    "nearest_neighbor": (
        Shot("mistakes/missing_second_barrier.cu", "block=0&position=23", (_STAGE,)),
    ),
    # All lanes of a row read the same element of one tile, and neighbors in a row of the other.
    "matmul": (Shot("ladder/02_tile.cu", "block=1&position=5", (_STAGE,)),),
    # Ten bodies leave two slots of the third tile to bodies of mass 0.
    "nbody": (
        Shot(
            "ladder/03_tile.cu",
            "block=0&position=18",
            (Part(".sentence", "g:has(> g > .touched)"),),
        ),
    ),
    # Two of four threads want the same bin.
    "histogram": (
        Shot("ladder/02_block.cu", "block=0&position=66", (Part(".sentence", ".touched"),)),
    ),
    # The same load, from narrow rows and from wide ones.
    "derivatives": (
        Shot("ladder/02_small_pencils.cu", "call=1&position=0", (_STEP, _REQUEST)),
        Shot("ladder/03_large_pencils.cu", "call=1&position=0", (_STEP, _REQUEST)),
    ),
    # The next tile is on its way while this one is used.
    "pipeline": (Shot("ladder/03_two_stages.cu", "block=0&position=10", (_STAGE,)),),
}


def draw(browser: Chromium) -> None:
    """Writes each picture in light and in dark colors."""
    for lab, shots in FIGURES.items():
        opened = [(shot, page_of(lab, shot.file)) for shot in shots]
        for is_dark in (False, True):
            pieces = []
            for shot, page in opened:
                _open(browser, page, shot.state, is_dark)
                pieces += [browser.draw(_clip(browser, part)) for part in shot.parts]
            png.write(path_of(lab, is_dark), pieces, words_of(browser, opened))


def path_of(lab: str, is_dark: bool) -> Path:
    return _FOLDER / f"{lab}{'-dark' * is_dark}.png"


def words_of(browser: Chromium, shots: Sequence[tuple[Shot, Path]]) -> str:
    """What the pages say about the step that the picture shows."""
    words = []
    for shot, page in shots:
        _open(browser, page, shot.state, is_dark=False)
        words.append(browser.run('document.querySelector(".sentence").innerText'))
    return "\n".join(words)


def _open(browser: Chromium, page: Path, state: str, is_dark: bool) -> None:
    browser.open(f"{page.as_uri()}#{state}", Screen(_WIDTH, 900, is_dark, _DENSITY))
    # A picture is drawn without a scroll bar, and lines wrap elsewhere beside one.
    browser.run('document.documentElement.style.scrollbarWidth = "none"')
    # A picture has no scroll bar, so nothing must be measured beside one.
    browser.run("document.documentElement.style.overflow = 'hidden'")


def _clip(browser: Chromium, part: Part) -> dict[str, float]:
    top, bottom = browser.run(
        f"""(() => {{
          const boxes = (name) => [...document.querySelectorAll(name)]
            .map((one) => one.getBoundingClientRect());
          return [boxes({json.dumps(part.first)})[0].top + scrollY,
                  Math.max(...boxes({json.dumps(part.last)}).map((box) => box.bottom)) + scrollY];
        }})()"""
    )
    return {"x": 0, "y": top - _MARGIN, "width": _WIDTH, "height": bottom - top + 2 * _MARGIN}

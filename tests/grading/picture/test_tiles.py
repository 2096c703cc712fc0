"""Tiles on the page of a picture: spare columns, banks, rows of threads, and wide accesses."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import browser
from browser import Seen, needs_chromium, with_script
from support import REPO
from tilelab.labs import lab
from tilelab.picture import run
from tilelab.picture.page import page
from tilelab.pipeline.harness.session import Session

pytestmark = pytest.mark.drawn(pool="pictures of tiles", count=1)

Make = Callable[[Path, str, Path], Path]
TRANSPOSE = REPO / "solutions" / "transpose" / "ladder"
_LOAD_OF_COLUMNS = "block=0&position=3"


def as_it_is(file: str, session: Session, folder: Path) -> Path:
    """The page of a transpose with blocks of 32 x 32."""
    picture = run.draw(TRANSPOSE / file, lab.load("transpose"), session, 32, 32)
    target = folder / "transpose.html"
    target.write_text(page(picture, ""), encoding="utf-8")
    return target


@needs_chromium
def test_the_spare_column_of_a_padded_tile_is_there(make: Make, tmp_path: Path) -> None:
    target = make(TRANSPOSE / "03_padded.cu", "transpose", tmp_path)
    dom = browser.show(target, tmp_path / "profile", _LOAD_OF_COLUMNS)
    assert "column 4 unused; below each slot, its bank" in Seen(dom).text
    assert len(re.findall(r'class="cell [^"]*spare"', dom)) == 4
    plain = make(TRANSPOSE / "02_tile.cu", "transpose", tmp_path)
    assert "spare" not in re.findall(r'class="[^"]*"', browser.show(plain, tmp_path / "profile"))


@needs_chromium
def test_a_column_stays_in_one_bank_unless_rows_are_padded(
    emulator: Session, tmp_path: Path
) -> None:
    texts = {}
    for file in ("02_tile.cu", "03_padded.cu"):
        target = as_it_is(file, emulator, tmp_path)
        dom = browser.show(target, tmp_path / "profile", "block=0&position=67")
        texts[file] = Seen(dom).text
    assert "Column 1 of tile is in bank 1 in all 32 rows." in texts["02_tile.cu"]
    assert "Column 1 of tile goes through 32 banks in 32 rows" in texts["03_padded.cu"]


@needs_chromium
def test_threads_of_a_block_with_rows_stand_in_rows(make: Make, tmp_path: Path) -> None:
    target = make(TRANSPOSE / "03_padded.cu", "transpose", tmp_path)
    dom = browser.show(target, tmp_path / "profile", _LOAD_OF_COLUMNS)
    circles = re.findall(r'<circle cx="([\d.]+)" cy="([\d.]+)" r="13"', dom)
    assert len(circles) == 16
    assert len({x for x, _ in circles}) == len({y for _, y in circles}) == 4
    assert "Threads of block (0, 0), warp 0 x across, y down" in Seen(dom).text


@needs_chromium
def test_a_wide_access_marks_all_its_elements(make: Make, tmp_path: Path) -> None:
    target = make(REPO / "solutions/pipeline/pipeline.cu", "pipeline", tmp_path)
    dom = browser.show(target, tmp_path / "profile", "block=0&position=0")
    # Four threads copy 16 bytes each: 16 elements of the input, and 16 of the tile.
    assert len(re.findall(r'class="cell [^"]*touched copy', dom)) == 32
    assert "to tile[0] to tile[15]" in Seen(dom).text


CUT = """
document.body.append(Object.assign(document.createElement("pre"), { textContent:
  [...document.querySelectorAll(".source td.text")]
    .filter((one) => one.scrollWidth > one.clientWidth + 1).length + " cut of " +
  document.querySelectorAll(".source td.text").length +
  (document.querySelector(".source").scrollWidth >
   document.querySelector(".source").clientWidth + 1 ? ", scrolls" : "") }));
"""


@needs_chromium
def test_no_line_of_the_source_is_cut(make: Make, tmp_path: Path) -> None:
    target = make(TRANSPOSE / "03_padded.cu", "transpose", tmp_path)
    for width in (1280, 800, 500):
        dom = browser.show(with_script(target, CUT), tmp_path / "profile", "", width)
        assert re.search(r"<pre>0 cut of \d\d</pre>", dom)


@needs_chromium
def test_too_much_is_sampled_and_the_page_says_so(emulator: Session, tmp_path: Path) -> None:
    tile = REPO / "solutions" / "matmul" / "ladder" / "02_tile.cu"
    picture = run.draw(tile, lab.load("matmul"), emulator, 32, 32)
    (call,) = picture.own.calls
    (launch,) = call.launches
    assert (launch.trace.complete, launch.trace.ends_early) == (False, False)
    assert {step.warp for step in launch.trace.steps if not step.barrier} == set(range(0, 32, 2))
    target = tmp_path / "matmul.html"
    target.write_text(page(picture, ""), encoding="utf-8")
    assert target.stat().st_size < 1_000_000
    seen = Seen(browser.show(target, tmp_path / "profile"))
    assert "so you see 16 of 32 warps in a block. What others store is not shown." in seen.text

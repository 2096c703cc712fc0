"""The page of a picture, in headless Chromium: what it says, and that it believes no submission."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import browser
from browser import Seen, needs_chromium, with_script
from support import REPO, Write
from tilelab.labs import lab
from tilelab.picture import run
from tilelab.picture.page import as_data, page
from tilelab.pipeline.harness.session import Session

pytestmark = pytest.mark.drawn(pool="pages of pictures", count=2)

Make = Callable[[Path, str, Path], Path]

TILES = {
    "diff": "02_tile",
    "nearest_neighbor": "02_tile_float3",
    "nbody": "03_tile",
    "derivatives": "03_large_pencils",
}


@pytest.fixture(scope="module")
def diff_page(make: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    tile = REPO / "solutions" / "diff" / "ladder" / "02_tile.cu"
    return make(tile, "diff", tmp_path_factory.mktemp("page"))


def own_steps(target: Path) -> list[dict[str, Any]]:
    text = re.search(r'id="data">(.*?)</script>', target.read_text(), re.DOTALL)
    assert text is not None
    steps: list[dict[str, Any]] = json.loads(text[1])["kernels"][0]["calls"][0]["launches"][0][
        "trace"
    ]["steps"]
    return steps


def pressing(path: Path, keys: list[str]) -> Path:
    """A copy of a page whose reader presses these keys."""
    presses = (
        f"document.dispatchEvent(new KeyboardEvent('keydown', {{key: {json.dumps(key)}}}));"
        for key in keys
    )
    return with_script(path, "".join(presses))


@needs_chromium
@pytest.mark.parametrize("name", TILES)
def test_every_lab_has_a_picture(name: str, make: Make, tmp_path: Path) -> None:
    solution = REPO / "solutions" / name / "ladder" / f"{TILES[name]}.cu"
    target = make(solution, name, tmp_path)
    steps = own_steps(target)
    # Warps come one after the other, so the first store is a step of block 0.
    store = next(i for i, step in enumerate(steps) if step.get("kind") == "store")
    seen = Seen(browser.show(target, tmp_path / "profile", f"block=0&position={store}"))
    assert "Every element is right." in seen.text
    assert re.search(r"Threads? [\d(].* of block 0 stores? tile\[0\]", seen.text)
    assert "shared memory of this block" in seen.text
    assert seen.count["svg"] == 3  # the stage, the timeline and the request


@needs_chromium
def test_thread_0_of_block_1_reads_its_neighbor_from_global_memory(
    diff_page: Path, tmp_path: Path
) -> None:
    values = re.findall(r'"values":\[((?:"\d+",?)+)\]', diff_page.read_text())[0]
    row = values.replace('"', "").split(",")
    texts = [
        Seen(browser.show(diff_page, tmp_path / "profile", f"block=1&position={i}")).text
        for i in range(3, 6)
    ]
    sentence = f"Thread 0 of block 1 loads in[3] = {row[3]} from global memory."
    assert any(sentence in text for text in texts)
    # The tile holds the block's elements, each with its value, its slot and who stored it.
    slots = [
        f"tile[{i}]: {row[4 + i]}, stored by thread {i} of block 1 {row[4 + i]} {i} t{i}"
        for i in range(4)
    ]
    assert all(" ".join(slots) in text for text in texts)


@needs_chromium
def test_the_keyboard_moves_through_the_run(diff_page: Path, tmp_path: Path) -> None:
    def after(*keys: str) -> str:
        return Seen(browser.show(pressing(diff_page, list(keys)), tmp_path / "profile")).text

    assert "Step 1 of" in after()
    assert "Step 3 of" in after("ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft")
    assert "All threads of block 0 have reached the barrier" in after("PageDown")
    assert "Threads of block 2, warp 0" in after("b", "b")
    assert "Threads of block 1, warp 0" in after("b", "b", "B")
    assert "Baseline: baseline.cu" in after("c")
    assert "Baseline: baseline.cu" not in after("c", "c")


@needs_chromium
def test_bank_conflicts_are_columns_of_words(emulator: Session, tmp_path: Path, cu: Write) -> None:
    tile = (REPO / "solutions" / "diff" / "ladder" / "02_tile.cu").read_text()
    strided = tile.replace("int tile[block]", "int tile[8 * block]")
    strided = strided.replace("tile[tx - 1]", "tile[8 * (tx - 1)]").replace(
        "tile[tx]", "tile[8 * tx]"
    )
    picture = run.draw(cu(strided), lab.load("diff"), emulator, 64, 32)
    target = tmp_path / "strided.html"
    target.write_text(page(picture, ""), encoding="utf-8")
    dom = browser.show(target, tmp_path / "profile", "block=0&position=1")
    # 32 words in banks 0, 8, 16 and 24.
    assert "8 wavefronts instead of 1, 7 bank conflicts." in Seen(dom).text
    assert dom.count('class="full shared-store bad"') == 32


SAVE = """
URL.createObjectURL = (blob) => {
  blob.text().then((text) => document.body.append(Object.assign(
    document.createElement("pre"), { textContent: text })));
  return "#";
};
[...document.querySelectorAll("button")].find((one) => one.textContent.includes("SVG")).click();
"""


@needs_chromium
def test_a_saved_picture_stands_alone(diff_page: Path, tmp_path: Path) -> None:
    dom = browser.show(with_script(diff_page, SAVE), tmp_path / "profile", "block=1&position=1")
    saved = re.search(r"<pre>(.*?)</pre>", dom, re.DOTALL)
    assert saved is not None
    root = ElementTree.fromstring(html.unescape(saved[1]))
    names = [element.tag.rpartition("}")[2] for element in root.iter()]
    assert names.count("circle") == 4
    style = next(element for element in root if element.tag.endswith("style"))
    used = set(re.findall(r"var\((--[\w-]+)\)", style.text or "")) - {"--kind"}
    assert used <= set(re.findall(r"(--[\w-]+): #", style.text or ""))


@needs_chromium
def test_a_race_is_marked_on_both_sides(make: Make, tmp_path: Path) -> None:
    mistake = REPO / "solutions" / "diff" / "mistakes" / "missing_barrier.cu"
    target = make(mistake, "diff", tmp_path)
    dom = browser.show(target, tmp_path / "profile", "block=0&position=1")
    seen = Seen(dom)
    assert "This is one side of a data race." in seen.text
    assert "First access: line" in seen.text
    assert "Second access: line" in seen.text
    assert dom.count('class="race"') == 3  # the slot, and both accesses in the timeline


@needs_chromium
def test_a_file_that_launches_nothing_has_a_page(make: Make, tmp_path: Path) -> None:
    target = make(REPO / "labs" / "diff" / "diff.cu", "diff", tmp_path)
    seen = Seen(browser.show(target, tmp_path / "profile"))
    assert seen.text.count("No kernel was launched.") == 2  # at the top, and next to the kernel


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&lt;<!--{data}"


@needs_chromium
def test_text_of_a_submission_stays_text(make: Make, tmp_path: Path, cu: Write) -> None:
    tile = (REPO / "solutions" / "diff" / "ladder" / "02_tile.cu").read_text()
    source = tile.replace("  if (i < n) tile", f"  /* {HOSTILE} */ if (i < n) tile")
    assert source != tile
    target = make(cu(source), "diff", tmp_path)
    assert "alert(1)</script>" not in target.read_text()
    seen = Seen(browser.show(target, tmp_path / "profile", "block=0&position=0"))
    assert HOSTILE in seen.text
    assert "img" not in seen.count
    assert seen.count["script"] == 2


def test_data_cannot_end_its_element() -> None:
    text = as_data({"name": HOSTILE})
    assert not set("<>&") & set(text)
    assert json.loads(text) == {"name": HOSTILE}


def test_the_page_asks_for_nothing_else(diff_page: Path) -> None:
    text = diff_page.read_text(encoding="utf-8")
    assert "default-src 'none'" in text
    assert not re.search(r"""(?:src|href)=["'](?!#)""", text)
    assert re.findall(r"https?://[\w./]+", text) == ["http://www.w3.org/2000/svg"]
    assert "innerHTML" not in text

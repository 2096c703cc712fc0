"""Asynchronous copies on the page of a picture: in flight from their start to their wait."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

import browser
from browser import Seen, needs_chromium
from support import REPO
from tilelab.labs import lab
from tilelab.model.picture import Step
from tilelab.picture import run
from tilelab.pipeline.harness.session import Session

pytestmark = pytest.mark.drawn(pool="pictures of copies", count=1)

Make = Callable[[Path, str, Path], Path]
LADDER = REPO / "solutions" / "pipeline" / "ladder"


@pytest.fixture(scope="module")
def two_stages(make: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("copies")
    return make(LADDER / "03_two_stages.cu", "pipeline", folder)


@pytest.fixture(scope="module")
def in_bulk(make: Make, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bulk")
    return make(LADDER / "09_bulk_copies.cu", "pipeline", folder)


def steps_of(file: str, session: Session) -> tuple[Step, ...]:
    picture = run.draw(LADDER / file, lab.load("pipeline"), session, None, 4)
    (call,) = picture.own.calls
    return call.launches[0].trace.steps


def test_the_next_tile_is_on_its_way_while_this_one_is_used(emulator: Session) -> None:
    kinds = [step.kind or "barrier" for step in steps_of("03_two_stages.cu", emulator)]
    first = ["copy"] * 3 + ["commit"]
    assert kinds[:9] == [*first, *first, "wait"]
    # Only the first tile has been waited for when it is used.
    assert kinds[9:12] == ["barrier", "load", "load"]
    assert "wait" in kinds[kinds.index("store") :]


def test_a_wait_names_the_batches_that_copies_belong_to(emulator: Session) -> None:
    steps = steps_of("03_two_stages.cu", emulator)
    copied = {batch for step in steps if step.kind == "copy" for batch in step.batches or ()}
    waited = [set(step.batches or ()) for step in steps if step.kind == "wait"]
    assert copied == waited[0] | waited[1]
    assert waited[0].isdisjoint(waited[1])


def test_a_bulk_copy_is_one_step(emulator: Session) -> None:
    bulks = [step for step in steps_of("09_bulk_copies.cu", emulator) if step.kind == "bulk"]
    assert [(len(step.lanes or ()), set(step.lanes or ())) for step in bulks] == [
        (12, {0}),
        (9, {0}),
    ]
    assert all(step.bytes == 16 for step in bulks)


def seen_at(page: Path, position: int, tmp_path: Path) -> tuple[str, Seen]:
    dom = browser.show(page, tmp_path / "profile", f"block=0&position={position}")
    return dom, Seen(dom)


@needs_chromium
def test_a_copy_is_a_bar_until_its_wait(two_stages: Path, tmp_path: Path) -> None:
    dom, seen = seen_at(two_stages, 0, tmp_path)
    assert "start to copy in[0] to in[15] to tile[0][0] to tile[0][15]" in seen.text
    assert "as part of batch 0. It is in flight until the wait in line 54." in seen.text
    bars = re.findall(r'x="([\d.]+)" y="([\d.]+)" width="([\d.]+)"[^>]*class="flightbar"', dom)
    (first, second) = [(float(x), float(y), float(width)) for x, y, width in bars]
    # The bar of the second batch begins before the first one's ends, and ends later.
    assert first[0] < second[0] < first[0] + first[2] < second[0] + second[2]
    assert first[1] < second[1]
    assert dom.count('class="commitline"') == 2


@needs_chromium
def test_memory_has_what_was_copied_after_the_wait(two_stages: Path, tmp_path: Path) -> None:
    coming = {}
    for position in (0, 7, 8, 10):
        dom, seen = seen_at(two_stages, position, tmp_path)
        coming[position] = len(re.findall(r'class="cell [^"]*coming"', dom))
    assert coming[0] == 16
    assert coming[7] == 48 + 36
    assert coming[8] == 36
    assert "Meanwhile in flight: batch 1 to tile[1][0] to tile[1][35]." in seen.text


@needs_chromium
def test_a_step_that_waits_says_for_what(two_stages: Path, tmp_path: Path) -> None:
    _, seen = seen_at(two_stages, 8, tmp_path)
    assert "Threads 0 to 3 of block 0 have waited for batch 0" in seen.text


@needs_chromium
def test_a_bulk_copy_is_one_bar(in_bulk: Path, tmp_path: Path) -> None:
    dom, seen = seen_at(in_bulk, 1, tmp_path)
    assert "Thread 0 of block 0 starts a bulk copy of in[0] to in[47]" in seen.text
    assert "One bulk copy: 192 bytes, 6 sectors of 32 bytes." in seen.text
    assert dom.count('class="flightbar"') == 2


@needs_chromium
def test_a_page_without_copies_explains_none(make: Make, tmp_path: Path) -> None:
    target = make(REPO / "solutions/diff/ladder/02_tile.cu", "diff", tmp_path)
    seen = Seen(browser.show(target, tmp_path / "profile"))
    assert "asynchronous" not in seen.text

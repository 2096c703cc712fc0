"""Questions about a student's own kernel, held against what one can read in its source."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import REPO
from tilelab.labs import lab
from tilelab.picture import run
from tilelab.pipeline.harness.session import Session
from tilelab.tutor.quiz import Question
from tilelab.viva import own_questions

pytestmark = pytest.mark.drawn(pool="own questions", count=3)

LADDER = REPO / "solutions"


def about(name: str, path: Path, session: Session) -> dict[str, Question]:
    """The questions about a file, by the beginning of what they ask."""
    own = run.draw(path, lab.load(name), session, 40, 32).own
    found = own_questions.about(own.calls, own.text, own.shared)
    assert 1 <= len(found) <= 4
    return {one.ask: one for one in found}


def answers(found: dict[str, Question]) -> list[float]:
    return [one.answer for one in found.values()]


def test_a_tile_of_diff(emulator: Session) -> None:
    found = about("diff", LADDER / "diff" / "ladder" / "02_tile.cu", emulator)
    asks = list(found)
    assert asks[:2] == [
        "Which thread of block 0 stores tile[5]?",
        "How many different threads of block 0 load tile[5]?",
    ]
    # Thread 5 and its right neighbor; then a wavefront, and 128 bytes.
    assert answers(found) == [5, 2, 1, 4]
    assert "line 20 (`if (i < n) tile[tx] = in[i];`)" in asks[2]


@pytest.mark.parametrize(("step", "wavefronts"), [("02_tile", 32), ("03_padded", 1)])
def test_the_line_with_the_conflicts(step: str, wavefronts: int, emulator: Session) -> None:
    path = LADDER / "transpose" / "ladder" / f"{step}.cu"
    found = about("transpose", path, emulator)
    # A block of 32 x 32 threads has no thread 5 that everybody would call so.
    assert not any("Which thread" in ask for ask in found)
    (about_banks,) = (one for ask, one in found.items() if "wavefronts" in ask)
    assert about_banks.answer == wavefronts
    assert about_banks.why == f"Each of its 32 requests takes {wavefronts}."
    assert found["How many times does block 0 meet at a barrier?"].answer == 1


def test_a_kernel_without_a_tile(emulator: Session) -> None:
    found = about("first_kernel", lab.load("first_kernel").reference, emulator)
    assert [ask.split(". ")[-1] for ask in found] == [
        "Which block stores out[37]?",
        "Which thread of that block stores out[37]?",
    ]
    assert answers(found) == divmod_list(37, 32)


def divmod_list(index: int, block: int) -> list[float]:
    return [index // block, index % block]


def test_an_element_that_the_tile_shares_with_all(emulator: Session) -> None:
    path = LADDER / "nbody" / "ladder" / "03_tile.cu"
    found = about("nbody", path, emulator)
    assert found["How many different threads of block 0 load tile[5]?"].answer == 32


def test_a_call_that_was_not_traced_to_its_end_has_none() -> None:
    assert own_questions.about((), "") == ()

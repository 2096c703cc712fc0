"""Questions about threads, with answers that were worked out by hand first."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

import pytest

from support import Write
from tilelab.labs import lab
from tilelab.model.questions.viva import Question
from tilelab.picture import run
from tilelab.pipeline.harness.session import Session
from tilelab.viva import accesses, threads

T = TypeVar("T")

# With 10 elements and blocks of 4, block 2 is the last one and has the elements 8 and 9.
_BY_HAND = {
    ("who loads array", 6): (1,),  # in[9]
    ("which element loads array", 6): (9,),  # thread 1
    ("how many threads loads array", 6): (2,),
    ("who stores tile", 6): (1,),  # tile[1]
    ("which element stores tile", 6): (1,),
    ("how many threads stores tile", 6): (2,),
    ("which element loads tile", 10): (0,),  # thread 1, the left neighbor
    ("how many threads loads tile", 10): (1,),
    ("which element loads array", 11): (7,),  # thread 0, whose neighbor is in block 1
    ("how many threads loads array", 11): (1,),
    ("who loads tile", 12): (1,),
    ("which element loads tile", 12): (1,),
    ("how many threads loads tile", 12): (2,),
    ("who stores array", 12): (1,),  # out[9]
    ("which element stores array", 12): (9,),
    ("how many threads stores array", 12): (2,),
    ("how many elements load False", 6): (3,),  # in[7], in[8] and in[9]
    ("how many elements store True", 6): (2,),
    ("how many elements load True", 10): (2,),
    ("how many elements store False", 12): (2,),
    ("how many barriers", 7): (1,),
}


class _Last(random.Random):
    """Draws the last one."""

    def choice(self, seq: Sequence[T]) -> T:  # type: ignore[override]
        return seq[-1]


def _questions(text: str, cu: Write, session: Session, copies: set[int]) -> list[Question]:
    picture = run.draw(cu(text), lab.load("diff"), session, 10, 4)
    (seen,) = accesses.of(picture.own, "diff.cu")
    return list(threads.questions(seen, copies, _Last()))


@pytest.mark.judges(lab="diff")
def test_each_answer_is_the_one_worked_out_by_hand(tile: str, cu: Write, emulator: Session) -> None:
    found = _questions(tile, cu, emulator, set())
    assert {(one.kind, one.line): one.answer for one in found} == _BY_HAND
    assert all("diff(int[10], int[10], 10) with block = 4: " in one.ask for one in found)
    neighbor = next(one for one in found if one.kind.startswith("which") and one.line == 11)
    assert neighbor.ask.endswith(
        "which element of `in` does thread 0 of block 2 load in line 11? Answer with its index."
    )


@pytest.mark.judges(lab="diff")
def test_no_thread_is_asked_for_where_all_copy_together(
    tile: str, cu: Write, emulator: Session
) -> None:
    kinds = {(one.kind, one.line) for one in _questions(tile, cu, emulator, {6})}
    assert not any(line == 6 and not kind.startswith("how many elements") for kind, line in kinds)
    assert ("who stores array", 12) in kinds


def test_indices_have_as_many_directions_as_the_block() -> None:
    assert accesses._place(37, (8, 8, 1)) == (5, 4)
    assert accesses._place(37, (64, 1, 1)) == (37,)
    assert accesses._place(37, (4, 3, 4)) == (1, 0, 3)
    tile = accesses.Array("tile", 4, 33, True)
    assert (tile.place(68), tile.indices(68)) == ("tile[2][2]", (2, 2))

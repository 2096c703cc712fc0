"""Questions about whole files: what mutants do, and that other files are asked other things."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support import REPO, Write
from tilelab.base.errors import UserError
from tilelab.labs import lab
from tilelab.pipeline.harness.session import Session
from tilelab.repairs.code import parse
from tilelab.viva import asking, evidence, mutants, trying

pytestmark = pytest.mark.drawn(pool="questions of viva", count=1)

DIFF = lab.load("diff")

_OUTSIDE = "Something outside of an array is read or written"
_WRONG = "Elements of the result are wrong or missing"

# What each mutant does, worked out by hand.
_BY_HAND = {
    (7, "barrier"): "Two threads race for the same place in memory",
    (8, "comparison"): _OUTSIDE,  # thread n stores out[n]
    (10, "comparison"): _OUTSIDE,  # thread 0 reads tile[-1]
    (10, "index"): _WRONG,  # in[i] - in[i] is 0
    (11, "index"): _WRONG,  # 0 at the beginning of each block
    (12, "statement"): _WRONG,  # nothing is stored
    (15, "comparison"): "A launch fails",  # no block for n = 0
    (15, "rounding"): "A launch fails",  # no block for n = 1
}


@pytest.mark.judges(lab="diff")
def test_mutants_do_what_was_worked_out_by_hand(tile: str, cu: Write, emulator: Session) -> None:
    path = cu(tile)
    found = evidence.of(path, DIFF, emulator, random.Random(1))
    assert found.passed == ("correctness", "safety", "memory")
    code = parse(tile)
    chosen = [one for one in mutants.of(code) if (one.line, one.sort) in _BY_HAND]
    asked = list(trying.questions(found, code, chosen, random.Random(1)))
    what = [one for one in asked if one.choices]
    told = {one.says: (one.line, one.sort) for one in chosen}
    answers = {
        next(key for says, key in told.items() if f": {says}. " in one.ask): one.written
        for one in what
    }
    assert answers == _BY_HAND
    assert all(len(set(one.choices)) == 5 for one in what)
    # The only wrong element of 257 is the first one of the second block.
    (element,) = [one for one in asked if one.kind == "first wrong element" and one.line == 11]
    assert element.answer == (256,) and "for n = 257" in element.ask


@pytest.mark.judges(lab="diff")
def test_ten_questions_that_another_file_answers_otherwise(
    tile: str, cu: Write, emulator: Session
) -> None:
    first = asking.ask(cu(tile), DIFF, emulator)
    assert len(first.questions) == 10
    assert all(1 <= one.line <= tile.count("\n") for one in first.questions)
    assert asking.ask(cu(tile), DIFF, emulator) == first
    other = asking.ask(cu(tile.replace("256", "128")), DIFF, emulator)
    assert {one.ask for one in other.questions} != {one.ask for one in first.questions}
    answers = [{q.kind: q.answer for q in one.questions} for one in (first, other)]
    same = answers[0].keys() & answers[1].keys()
    assert any(answers[0][kind] != answers[1][kind] for kind in same)


@pytest.mark.judges(lab="diff")
def test_what_the_file_itself_fails_is_not_asked_of_mutants(emulator: Session) -> None:
    path = REPO / "solutions" / "diff" / "mistakes" / "block_edges_forgotten.cu"
    made = asking.ask(path, DIFF, emulator)
    assert made.questions and not any(one.choices for one in made.questions)


def test_a_file_without_end_is_not_looked_through(cu: Write, emulator: Session) -> None:
    text = f"__global__ void k() {{ int a = {'1 + ' * 60_000}1; }}"
    with pytest.raises(
        UserError, match=r"diff\.cu: questions are worked out about files of 20,000"
    ):
        asking.ask(cu(text), DIFF, emulator)


@pytest.mark.judges(lab="diff")
def test_a_file_that_does_nothing_is_not_asked_about(emulator: Session, tmp_path: Path) -> None:
    path = tmp_path / "diff.cu"
    path.write_text(DIFF.pristine.read_text(encoding="utf-8"))
    with pytest.raises(UserError, match="there is nothing to ask yet"):
        asking.ask(path, DIFF, emulator)

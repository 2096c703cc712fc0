"""The Parsons problems of the labs: what is accepted, what is said, and that the judge agrees."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from msgspec.structs import replace

from support import PRESENTED_LABS
from tilelab.base.errors import UserError
from tilelab.labs import lab as labs
from tilelab.labs import parsons
from tilelab.labs.parsons import Problem
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.tutor.parsons import fault

PROBLEMS = {name: parsons.load(labs.load(name)) for name in PRESENTED_LABS}

Order = tuple[str, ...]


def right(problem: Problem) -> Iterator[Order]:
    """All right orders that are listed, also with two neighbors exchanged that may be."""
    for order in problem.orders:
        yield tuple(problem.lines[number - 1] for number in order)
        for at, (one, other) in enumerate(itertools.pairwise(order)):
            if problem.may_swap(one, other):
                swapped = [*order[:at], other, one, *order[at + 2 :]]
                yield tuple(problem.lines[number - 1] for number in swapped)


def wrong(problem: Problem) -> Iterator[tuple[Order, str, str]]:
    """All wrong orders that are listed, what each fails, and why."""
    for one in problem.distractors:
        given = [*problem.lines]
        given[one.place - 1] = one.code
        yield tuple(given), one.fails, one.why
    for early in problem.misplaced:
        yield moved(problem, early.line, early.before), early.fails, early.why


def moved(problem: Problem, line: int, before: int) -> Order:
    order = [number for number in range(1, len(problem.lines) + 1) if number != line]
    at = order.index(before) if before in order else len(order)
    return tuple(problem.lines[number - 1] for number in [*order[:at], line, *order[at:]])


def single_moves(problem: Problem) -> set[Order]:
    """All orders that are one move away from the answer."""
    numbers = range(1, len(problem.lines) + 1)
    return {
        moved(problem, line, before)
        for line in numbers
        for before in [*numbers, len(numbers) + 1]
        if line != before
    }


def _judged() -> Iterator[object]:
    for name, problem in PROBLEMS.items():
        expected = dict.fromkeys(right(problem), "")
        expected.update((given, fails) for given, fails, _ in wrong(problem))
        for number, (given, fails) in enumerate(expected.items(), 1):
            marks = pytest.mark.judges(lab=name)
            yield pytest.param(name, given, fails, id=f"{name}-{number}", marks=marks)


def short(name: str, given: Sequence[str], folder: Path, session: Session, *more: str) -> set[str]:
    """Of correctness, safety and more, what the kernel with these lines does not pass.

    Threads that end before a barrier are wrong here in each lab, although they cost no points.
    """
    lab = replace(labs.load(name), skipped_barriers_fail=True)
    checked = tuple(one for one in lab.criteria if one.name in ("correctness", "safety", *more))
    path = folder / f"{name}.cu"
    path.write_text(PROBLEMS[name].submission(given))
    result = submission.grade(path, replace(lab, criteria=checked), session)
    if result.verdict != "graded":
        return {"build"}
    return {one.name for one in result.criteria if one.falls_short}


@pytest.mark.drawn(pool="parsons", count=1)
@pytest.mark.parametrize(("name", "given", "fails"), [*_judged()])
def test_the_judge_agrees(
    name: str, given: Order, fails: str, emulator: Session, tmp_path: Path
) -> None:
    found = short(name, given, tmp_path, emulator, fails)
    assert fails in found if fails else not found


@pytest.mark.long
@pytest.mark.thorough
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.judges(lab=name)) for name in PROBLEMS]
)
def test_no_right_order_is_called_wrong(name: str, emulator: Session, tmp_path: Path) -> None:
    """A line that went elsewhere breaks the kernel, or the order is accepted."""
    problem = PROBLEMS[name]
    for given in sorted(single_moves(problem)):
        found = short(name, given, tmp_path, emulator)
        assert bool(found) == (fault(problem, given) is not None), "\n".join(given)


@pytest.mark.parametrize("name", PROBLEMS)
def test_right_orders_are_accepted_and_wrong_ones_explained(name: str) -> None:
    problem = PROBLEMS[name]
    assert all(fault(problem, given) is None for given in right(problem))
    for given, _, why in wrong(problem):
        found = fault(problem, given)
        assert found is not None and found.why == why
        assert given[found.position - 1] == found.code


@pytest.mark.parametrize("name", PROBLEMS)
def test_a_problem_fits_its_form(name: str) -> None:
    problem = PROBLEMS[name]
    assert 6 <= len(problem.lines) <= 12
    assert 1 <= len(problem.distractors) <= 3
    assert problem.shown != [*problem.lines]
    assert max(map(len, problem.indented(problem.lines).split("\n"))) <= 80


def test_of_lines_with_the_same_text_either_may_come_first() -> None:
    problem = PROBLEMS["matmul"]
    assert fault(problem, problem.lines) is None
    at_the_beginning = [problem.lines[number - 1] for number in (1, 4, 3, 2, 6, 5, 7)]
    assert fault(problem, at_the_beginning) is None
    found = fault(problem, [problem.lines[number - 1] for number in (1, 2, 4, 3, 6, 5, 7)])
    assert found is not None and found.position == 3 and "both tiles" in found.why


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("place = 3\n", "place = 8\n", "distractors[1].place must be the number of a line, 1 to 7"),
        ("place = 3\n", "place = 0\n", "distractors[1].place must be a whole number greater than"),
        ("line = 4\n", "line = 70\n", "misplaced[1].line must be the number of a line, 1 to 7"),
        ("task = ", "exchange = [[1, 9]]\ntask = ", "exchange[1] must be the number of a line"),
        ("task = ", "exchange = 3\ntask = ", "exchange must be a list of lists of line numbers"),
        ("task = ", "also = [[1, 2]]\ntask = ", "also[1] must have each number from 1 to 7 once"),
        ("(i <= n)", "(i < n)", "distractors[1].code must not be one of the lines"),
        ("task = ", "tasks = 1\ntask = ", "unknown key tasks; expected one of"),
        (
            'fails = "safety"',
            'fails = "speed"',
            'fails must be "build", "correctness", "safety" or "memory"',
        ),
    ],
)
def test_bad_input_is_one_clear_line(before: str, after: str, says: str, tmp_path: Path) -> None:
    lab = labs.load("diff")
    text = parsons.path_of(lab).read_text()
    copy = replace(lab, repo=tmp_path)
    parsons.path_of(copy).parent.mkdir(parents=True)
    parsons.path_of(copy).write_text(text.replace(before, after))
    with pytest.raises(UserError, match=re.escape(says)) as error:
        parsons.load(copy)
    assert str(parsons.path_of(copy)) in str(error.value) and "\n" not in str(error.value)

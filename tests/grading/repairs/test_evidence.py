"""What tests tell of the lines that they run, and what is kept of it for a second mistake."""

from __future__ import annotations

import pytest

from tilelab.model.case import Case, Message, Place
from tilelab.model.failure import Failure
from tilelab.model.result import CriterionResult, Result
from tilelab.repairs import candidates, reach
from tilelab.repairs.code import parse
from tilelab.repairs.reach import NOWHERE, Reach
from tilelab.repairs.task import Task
from tilelab.repairs.trial import Left


@pytest.mark.parametrize(
    ("text", "right", "pattern", "array"),
    [
        (
            "enum { b = 64 };\n__global__ void k(int n) { __shared__ int t[b];\n"
            "int i = threadIdx.x;\nt[i + 1] = 1; }",
            "[b + 1]",
            "shared_out_of_bounds",
            "t",
        ),
        (
            "__global__ void k(const int* d, int* o, int n) {\n"
            "for (int i = threadIdx.x; i < n; i += 64)\no[0] += d[i]; }\n"
            "void f(const int* in, int* work, int n) { int blocks = n / 64, a = 1, b = 2;\n"
            "k<<<blocks, 64>>>(in, work, n); k<<<1, 64>>>(work, work, n); }",
            "(work, work, blocks)",
            "out_of_bounds",
            "work",
        ),
    ],
)
def test_the_size_of_an_array_that_a_thread_leaves_is_suspected(
    text: str, right: str, pattern: str, array: str
) -> None:
    def place(arrays: set[str]) -> int:
        edits = candidates.of(parse(text), set(), {pattern}, arrays)
        made = [one.applied(text.encode()).decode() for one in edits]
        return next(number for number, one in enumerate(made) if right in one)

    assert place({array}) < place(set())
    assert place({array}) < 12


def test_a_row_of_slots_that_is_too_short_is_no_matter_of_banks() -> None:
    edits = candidates.of(parse("__global__ void k() { __shared__ int t[64]; }"), set(), set())
    longer = [one for one in edits if one.changes[0].text == "64 + 1"]
    assert {one.kind.name for one in longer} == {"size of an array"}


_TWO = (
    "__device__ int half(int n) {\nreturn n / 2; }\n"
    "__global__ void k(int* out, int n) {\nout[half(n)] = 1; }\n"
    "void first(int* out, int n) {\nk<<<1, 32>>>(out, n); }\n"
    "void second(int* out, int n) {\nk<<<1, 32>>>(out, n + 1); }\n"
)


def _result(*passed: tuple[str, bool]) -> Result:
    cases = tuple(Case(f"{name} is right", is_passed, []) for name, is_passed in passed)
    row = CriterionResult("correctness", "fail", 0, 1, cases=cases)
    return Result("a student", "a lab", "graded", 0, 1, criteria=[row])


def test_what_a_function_that_passes_runs_is_not_suspected() -> None:
    code = parse(_TWO)
    found = reach.of(_result(("first", True), ("second", False)), code)
    assert found == Reach(frozenset({7, 8}), frozenset({5, 6}))
    place: dict[int, int] = {}
    for one in candidates.of(code, set(), set(), set(), found):
        place.setdefault(one.line, len(place))
    assert place[8] < place[2] < place[6]


@pytest.mark.parametrize(
    "passed",
    [
        (("first", False), ("second", False)),
        (("first", False),),
        (("first", True), ("third", False)),  # which the file does not have
    ],
)
def test_without_a_function_that_passes_all_lines_are_suspected(
    passed: tuple[tuple[str, bool], ...],
) -> None:
    assert reach.of(_result(*passed), parse(_TWO)) == NOWHERE


def test_what_other_tests_show_is_kept_for_the_second_search() -> None:
    def failure(pattern: str, line: int) -> Failure:
        shown = Message("", places=(Place(line, "a"),))
        return Failure("correctness", "a test", "", pattern, line, 1, shown)

    mended = Task("a test", "correctness", (), (), patterns=frozenset({"bounds_swapped"}))
    left = Left(mended, {9}, {"error_returned"}, {"b"})
    whole = left.and_all_that([failure("bounds_swapped", 3), failure("leak", 7)], mended)
    assert whole.lines == {7, 9}
    assert whole.patterns == {"error_returned", "leak"}
    assert whole.arrays == {"a", "b"}

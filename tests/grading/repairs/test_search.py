"""Causes of real mistakes: found where they are, and none where there is none."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import pytest

from support import REPO, Write
from tilelab.labs import lab
from tilelab.model.failure import Causes
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.repairs import search, task

pytestmark = pytest.mark.drawn(pool="searches for a cause", count=1)

DIFF = lab.load("diff")
RIGHT = """#include "diff.h"
constexpr int block = 256;
__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i < n) out[i] = i == 0 ? tile[0] : tile[tx] - (tx > 0 ? tile[tx - 1] : in[i - 1]);
}
void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
"""


def _line_of(text: str) -> int:
    return 1 + RIGHT[: RIGHT.index(text)].count("\n")


def causes_of(path: Path, name: str, session: Session, seconds: float = 120) -> Causes:
    the_lab = lab.load(name)
    session = dataclasses.replace(session, criteria_at_once=2)
    result = submission.grade(path, the_lab, session)
    return search.find(result, the_lab, session, seconds)


@pytest.mark.judges(lab="diff")
@pytest.mark.parametrize(
    ("before", "after", "kinds"),
    [
        ("i < n) tile", "i <= n) tile", {"comparison"}),
        ("(n + block - 1) / block", "n / block", {"rounded down"}),
        ("__syncthreads();", "", {"barrier missing"}),
        ("tile[tx - 1]", "tile[tx - 2]", {"off by one"}),
        (
            "<<<(n + block - 1) / block, block>>>",
            "<<<block, (n + block - 1) / block>>>",
            {"grid and block exchanged"},
        ),
    ],
)
def test_a_mistake_in_a_right_file_is_the_cause(
    emulator: Session, cu: Write, before: str, after: str, kinds: set[str]
) -> None:
    assert RIGHT.count(before) == 1
    found = causes_of(cu(RIGHT.replace(before, after)), "diff", emulator)
    line = _line_of(before)
    assert {one.kind for one in found.found[:1]} <= kinds
    assert abs(found.found[0].line - line) <= 1
    assert found.found[0].is_all


@pytest.mark.judges(lab="nbody")
def test_a_repair_that_takes_long_is_found(emulator: Session) -> None:
    """Each call takes much longer than a process takes to begin."""
    path = REPO / "tests/measure/causes/mistakes/nbody/10_everybody_fills_all.cu"
    found = causes_of(path, "nbody", emulator)
    assert [(one.kind, one.line) for one in found.found] == [("work of one thread", 37)]


@pytest.mark.judges(lab="first_kernel")
def test_memory_that_stays_after_an_error_is_where_the_function_returns(
    emulator: Session, cu: Write
) -> None:
    """The test calls the function once without an error, and that call is right already."""
    text = (REPO / "solutions/first_kernel/first_kernel.cu").read_text(encoding="utf-8")
    before = "  // Freeing a null pointer does nothing.\n"
    assert text.count(before) == 1
    wrong = text.replace(before, "  if (error != cudaSuccess) return error;\n")
    found = causes_of(cu(wrong), "first_kernel", emulator).found
    line = 1 + text[: text.index(before)].count("\n")
    assert [(one.kind, one.line) for one in found] == [("memory that stays", line)]


@pytest.mark.judges(lab="diff")
def test_one_of_two_mistakes_is_called_one_cause(emulator: Session) -> None:
    path = Path(__file__).parent / "two_mistakes.cu"
    found = causes_of(path, "diff", emulator)
    assert [(one.kind, one.is_all) for one in found.found] == [("barrier missing", False)]


@pytest.mark.thorough
@pytest.mark.judges(lab="diff")
def test_two_mistakes_that_every_short_call_meets_are_found_together(
    emulator: Session, cu: Write
) -> None:
    text = RIGHT.replace("(n + block - 1) / block", "n / block").replace(
        "i < n) out", "i <= n) out"
    )
    found = causes_of(cu(text), "diff", emulator).found
    lines = {"rounded down": _line_of("(n + block - 1)"), "comparison": _line_of("i < n) out")}
    assert len(found) == 1
    assert lines[found[0].kind] == found[0].line
    assert not found[0].is_all and found[0].with_another


@pytest.mark.judges(lab="diff")
def test_a_right_file_and_an_unfinished_one_have_no_cause(emulator: Session) -> None:
    for path in (DIFF.reference, DIFF.skeleton):
        result = submission.grade(path, DIFF, emulator)
        assert task.of(result, DIFF) is None
        assert search.find(result, DIFF, emulator, 5) == Causes()


@pytest.mark.judges(lab="diff")
def test_no_repair_is_found_for_another_algorithm(emulator: Session, cu: Write) -> None:
    text = '#include "diff.h"\n__global__ void k(int* out) { out[0] = 7; }\n'
    text += "void diff(const int* in, int* out, int n) { k<<<1, 1>>>(out); }\n"
    assert causes_of(cu(text), "diff", emulator, 20).found == ()


@pytest.mark.judges(lab="diff")
def test_a_long_file_costs_a_bounded_time(emulator: Session, cu: Write) -> None:
    statements = "".join(f"out[{i}] = in[{i}];\n" for i in range(700))
    text = f'#include "diff.h"\n__global__ void k(const int* in, int* out) {{\n{statements}}}\n'
    text += "void diff(const int* in, int* out, int n) { k<<<1, 1>>>(in, out); }\n"
    path = cu(text)
    result = submission.grade(path, DIFF, emulator)
    begin = time.monotonic()
    search.find(result, DIFF, emulator, 5)
    assert time.monotonic() - begin < 60  # compiling what has begun may go on beyond the limit

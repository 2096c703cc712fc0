"""Loops that never end, or end late: each with the edit that fixes it, and its line."""

from __future__ import annotations

import pytest

from tilelab.repairs import candidates
from tilelab.repairs.code import parse

_KERNEL = """#include "diff.h"
__global__ void k(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
%s
}
"""
_FIRST_LINE = 4

# What is wrong, the text of which the edit makes the other one, and which of its lines is named.
_LOOPS = [
    ("for (; i < n; i + 1) out[i] = 0;", "for (; i < n; i += 1) out[i] = 0;", 0),
    (
        "for (int d = 1; d < 32; d << 1) out[d] = 0;",
        "for (int d = 1; d < 32; d <<= 1) out[d] = 0;",
        0,
    ),
    ("for (int j = 0; j < n; --j) out[j] = 0;", "for (int j = 0; j < n; ++j) out[j] = 0;", 0),
    ("for (int j = 0; j < n; i++) out[j] = 0;", "for (int j = 0; j < n; j++) out[j] = 0;", 0),
    (
        "while (i < n) {\n  out[i] = 0;\n}",
        "while (i < n) {\n  out[i] = 0; i += blockDim.x * gridDim.x;\n}",
        0,
    ),
    (
        "while (i < n) {\n  out[i] = 0;\n  i += blockDim.x;\n}",
        "while (i < n) {\n  out[i] = 0;\n  i += blockDim.x * gridDim.x;\n}",
        2,
    ),
    (
        "int step = gridDim.x / 1024;\nfor (; i < n; i += step) out[i] = 0;",
        "int step = blockDim.x * gridDim.x;\nfor (; i < n; i += step) out[i] = 0;",
        0,
    ),
]


@pytest.mark.parametrize(("wrong", "right", "line"), _LOOPS)
def test_an_edit_mends_the_loop_and_is_an_early_one(wrong: str, right: str, line: int) -> None:
    text = _KERNEL % wrong
    edits = candidates.of(parse(text), {_FIRST_LINE}, {"out_of_time"})
    texts = [one.applied(text.encode()).decode() for one in edits]
    place = texts.index(_KERNEL % right)
    assert place < 12
    assert edits[place].line == _FIRST_LINE + line


@pytest.mark.parametrize("loop", ["while (i < f(n)) { a(i); }", "do { a(i); } while (i < f(n));"])
def test_the_word_of_a_loop_without_a_step_is_its_condition(loop: str) -> None:
    edits = candidates.of(parse(_KERNEL % loop), set(), {"out_of_time"})
    words = {one.word for one in edits if one.kind.name == "loop without a step"}
    assert words == {"i < f(n)"}


def test_a_loop_that_steps_gets_no_second_step() -> None:
    text = _KERNEL % "while (i < n) { out[i] = 0; i += blockDim.x * gridDim.x; }"
    kinds = {one.kind.name for one in candidates.of(parse(text), set(), {"out_of_time"})}
    assert "loop without a step" not in kinds

"""A wrong result names the line and the thread that stored it, and what that thread had read."""

from __future__ import annotations

import pytest

from support import Write
from tilelab.labs import lab
from tilelab.model.case import Message, Place
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.score.failures import failures

pytestmark = [pytest.mark.judges(lab="diff"), pytest.mark.drawn(pool="stores", count=3)]

DIFF = lab.load("diff")

_TEXT = """\
#include "diff.h"

__global__ void kernel(const int* in, int* out, int n) {{
  __shared__ int tile[256];
  int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i >= n) return;
  {statement}
}}

void diff(const int* in, int* out, int n) {{
  if (n == 0) return;
  kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}}
"""
_STATEMENT = 9
_LEFT = "threadIdx.x > 0 ? tile[threadIdx.x - 1] : i > 0 ? in[i - 1] : 0"
_FIRST = "block (0,0,0), thread (0,0,0) stores out[0]"


def _first(cu: Write, session: Session, statement: str) -> Message:
    path = cu(_TEXT.format(statement=statement))
    return failures(submission.grade(path, DIFF, session))[0].details


@pytest.mark.parametrize(
    ("statement", "says"),
    [
        # The edge of the second block, which takes the number in its tile for the difference.
        (
            f"out[i] = i > 0 && threadIdx.x == 0 ? tile[0] : tile[threadIdx.x] - ({_LEFT});",
            "block (1,0,0), thread (0,0,0) stores out[256], after reading tile[0]",
        ),
        ("out[i] = in[i] + tile[threadIdx.x] - 1;", f"{_FIRST}, after reading in[0] and tile[0]"),
        ("out[i] = 5;", _FIRST),
        # What was read before the barrier does not count, nor what is read after the store.
        (
            "out[i] = tile[threadIdx.x] + 1; if (in[i] == out[i]) out[i] = 0;",
            f"{_FIRST}, after reading tile[0]",
        ),
        # Of many, none is named.
        (
            f"out[i] = i < 4 ? tile[threadIdx.x] - ({_LEFT}) : in[0] + in[1] + in[2] + in[3];",
            "block (0,0,0), thread (4,0,0) stores out[4]",
        ),
        # The last of several stores counts.
        ("out[i] = 1; out[i] = 2;", _FIRST),
        ("atomicExch(&out[i], 3);", _FIRST),
    ],
)
def test_the_last_store_is_named(cu: Write, emulator: Session, statement: str, says: str) -> None:
    assert _first(cu, emulator, statement).store == Place(_STATEMENT, "out", says)


@pytest.mark.parametrize(
    "statement", ["if (i > 300) out[i] = 1;", "if (i == 1) out[i] = in[i] - in[0];"]
)
def test_no_store_is_made_up(cu: Write, emulator: Session, statement: str) -> None:
    first = _first(cu, emulator, statement)
    assert first.element
    assert first.store is None

"""Calls that end before their time name the line of the submission that ran."""

from __future__ import annotations

import pytest

from support import Write
from tilelab.labs import lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.score.failures import failures

pytestmark = pytest.mark.drawn(pool="lines that ran", count=1)

DIFF = lab.load("diff")

_TEXT = """\
#include "diff.h"

__global__ void kernel(const int* in, int* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {{
    {kernel}
  }}
}}

void diff(const int* in, int* out, int n) {{
  if (n == 0) return;
  {host}
  kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}}
"""
_KERNEL, _HOST = 6, 12


@pytest.mark.judges(lab="diff")
@pytest.mark.parametrize(
    ("kernel", "host", "line", "says"),
    [
        ("for (int k = 0; k < n; k += n / (n + 1)) out[i] = k;", "", _KERNEL, "endless loop"),
        ("*reinterpret_cast<int*>(8) = 1;", "", _KERNEL, "writes through a null pointer"),
        ("", "out[0] = in[0];", _HOST, "host code reads memory through a device pointer"),
        ("", "cudaMemcpy(out, in, n, cudaMemcpyHostToDevice);", _HOST, "its direction is"),
    ],
)
def test_it_is_the_line_that_ran(
    cu: Write, emulator: Session, kernel: str, host: str, line: int, says: str
) -> None:
    path = cu(_TEXT.format(kernel=kernel, host=host))
    first = failures(submission.grade(path, DIFF, emulator))[0]
    assert says in first.message
    assert [place.line for place in first.details.places] == [line]

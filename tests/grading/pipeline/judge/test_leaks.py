"""Memory that is never freed names the line that allocated it."""

from __future__ import annotations

import pytest

from support import Write
from tilelab.labs import lab
from tilelab.pipeline import submission
from tilelab.pipeline.harness.session import Session
from tilelab.score.failures import failures

pytestmark = pytest.mark.drawn(pool="leaks", count=2)

DIFF = lab.load("diff")

_TEXT = """\
#include "diff.h"

__global__ void kernel(const int* in, int* out, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] - (i > 0 ? in[i - 1] : 0);
}}

int* room(int n) {{
  int* p = nullptr;
  cudaMalloc(&p, n * sizeof(int));
  return p;
}}

void diff(const int* in, int* out, int n) {{
  if (n == 0) return;
  {host}
  kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}}
"""
_HELPER, _HOST = 10, 16


@pytest.mark.judges(lab="diff")
@pytest.mark.parametrize(
    ("host", "lines"),
    [
        ("void* p = nullptr; cudaMalloc(&p, 8);", [_HOST]),
        ("void* p = nullptr; size_t pitch; cudaMallocPitch(&p, &pitch, 4, 4);", [_HOST]),
        ("void* p = nullptr; cudaMallocAsync(&p, 8, 0);", [_HOST]),
        ("int *a = room(n), *b = room(n); cudaFree(b); (void)a;", [_HELPER]),
        ("void* p;\n  cudaMalloc(&p, 4); cudaFree(p);\n  cudaMalloc(&p, 8);", [_HOST + 2]),
    ],
)
def test_it_is_the_line_that_allocates(
    host: str, lines: list[int], cu: Write, emulator: Session
) -> None:
    path = cu(_TEXT.format(host=host))
    result = submission.grade(path, DIFF, emulator)
    (leak,) = [one for one in failures(result) if one.pattern == "leak"]
    assert "were never freed" in leak.message
    assert [place.line for place in leak.details.places] == lines

"""Which line is said to lead threads past a barrier."""

from __future__ import annotations

import pytest

from tilelab.tutor import skipped

WARNING = (
    "Warning: 9 of 256 threads of block (0,0,0) skip the __syncthreads() in k.cu:{} "
    "`__syncthreads();` and end. Let every thread of the block reach the barrier."
)
KERNEL = """namespace {
int before(int n) { return n; }
__global__ void k(const int* in,
                  int* out, int n) {
  if (n < 0) { out[0] = 1; }
  BODY
  out[0] = 2;
}
}
"""


@pytest.mark.parametrize(
    ("body", "line", "says"),
    [
        ("if (i < n) __syncthreads();", 6, "It is in the if of line 6."),
        ("if (i < n)\n__syncthreads();", 7, "It is in the if of line 6."),
        ("if (i < n) {\nt[i] = 1;\n__syncthreads();\n}", 8, "It is in the if of line 6."),
        ("if (a) {\nif (b) c();\n__syncthreads();\n}", 8, "It is in the if of line 6."),
        ("if (a) b(); else\n{\n__syncthreads();\n}", 8, "It is in the if of line 6."),
        ("if (i >= n) return;\n__syncthreads();", 7, "The return in line 6 comes before it."),
        ("if (a) return;\nif (b) return;\nc();\n__syncthreads();", 9, "The return in line 7 "),
        ("__syncthreads();\nif (i >= n) return;", 6, ""),
        ("for (;;) {\nif (a) break;\n__syncthreads();\n}", 8, ""),
        ("__syncthreads();", 99, ""),
    ],
)
def test_the_line_is_named(body: str, line: int, says: str) -> None:
    text = KERNEL.replace("BODY", body)
    found = skipped.reason(WARNING.format(line), text)
    assert found.startswith(says) and bool(found) == bool(says)


def test_other_notes_stay_as_they_are() -> None:
    assert skipped.reason("1.00 global loads per element.", KERNEL) == ""

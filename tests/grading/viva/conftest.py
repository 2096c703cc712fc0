"""A kernel that the tests ask about. Its answers are worked out by hand where they are compared."""

from __future__ import annotations

import pytest

# Each thread keeps its element in a tile, and takes its left neighbor from there.
_TILE = """\
#include "diff.h"
constexpr int block = 256;
__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x, i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i >= n) return;
  int left = 0;
  if (tx > 0) left = tile[tx - 1];
  else if (i > 0) left = in[i - 1];
  out[i] = tile[tx] - left;
}
void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}
"""


@pytest.fixture
def tile() -> str:
    return _TILE

// CAUSE: the tile is indexed by the element's number in the row, not by its number in the block
// LINES: 18, 24, 28
// REPAIR: use tid for buf
// GOOD HINT: How many slots does the tile have, and which one does thread 0 of block 1 use?
// SYMPTOM: store outside the tile from block 1 on

#include "diff.h"

namespace {

constexpr int BLOCK = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int buf[BLOCK];
  int tid = threadIdx.x;
  int index = blockIdx.x * BLOCK + tid;
  if (index < n) {
    buf[index] = in[index];
  }
  __syncthreads();
  if (index < n) {
    int left = 0;
    if (tid > 0) {
      left = buf[index - 1];
    } else if (index > 0) {
      left = in[index - 1];
    }
    out[index] = buf[index] - left;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int blocks = (n + BLOCK - 1) / BLOCK;
  diff_kernel<<<blocks, BLOCK>>>(in, out, n);
}

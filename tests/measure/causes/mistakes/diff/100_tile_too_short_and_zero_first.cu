// CAUSE: (1) The elements lie at tile[tx + 1], so the tile needs block + 1 slots, but it has only block. (2) Element 0 is given itself as its left neighbor, so out[0] is 0 instead of in[0].
// LINES: 13 17
// REPAIR: line 13: `return in[i > 0 ? i - 1 : 0];` -> `return i > 0 ? in[i - 1] : 0;`; line 17: `__shared__ int tile[block];` -> `__shared__ int tile[block + 1];`
// SYMPTOM: (1) The last thread of a full block writes and reads shared memory behind the tile. (2) out[0] is 0.

#include "diff.h"

namespace {

constexpr int block = 512;

__device__ int load_left(const int* in, int i) {
  return in[i > 0 ? i - 1 : 0];
}

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tx;

  if (i < n) {
    int* slot = tile + 1 + tx;
    *slot = in[i];
    if (tx == 0) tile[0] = load_left(in, i);
  }

  __syncthreads();

  if (i < n) {
    const int* slot = tile + 1 + tx;
    out[i] = slot[0] - slot[-1];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int blocks = 1 + (n - 1) / block;
  diff_kernel<<<blocks, block>>>(in, out, n);
}

// In one far block two threads each write the same word of the tile: all accesses are at the same
// places, and as many, as in the other blocks.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: Data race
// Needs: emulator

#include "diff.h"

namespace {
constexpr int block = 256;
__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int t = threadIdx.x, i = blockIdx.x * block + t;
  const bool is_far = gridDim.x > block && blockIdx.x == gridDim.x / 2 + 3;
  const int own = i < n ? in[i] : 0;
  tile[is_far ? t / 2 * 2 : t] = own;
  __syncthreads();
  int left = __shfl_up_sync(0xffffffff, own, 1);
  if (t % 32 == 0) left = i > 0 && i < n ? in[i - 1] : 0;
  if (i < n) out[i] = own - left + (own ^ tile[t / 2 * 2] ? 0 : 0);
}
}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

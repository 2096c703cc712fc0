// All threads of one block far from both ends write one word, where a row has many blocks.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: Data race

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  __shared__ int last;
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  const bool is_far = gridDim.x > 4 * blockDim.x && blockIdx.x == gridDim.x / 3;
  if (is_far) last = threadIdx.x;
  __syncthreads();
  if (i >= n || (is_far && last < 0)) return;
  const int left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = tile[threadIdx.x] - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

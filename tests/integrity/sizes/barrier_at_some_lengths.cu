// Leaves out the barrier in rows that are longer than those of the memory tests, and shorter than
// the longest of the tests of correctness.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: Data race

#include "diff.h"

namespace {

constexpr int block = 256;
constexpr int shortest = 3 * block * block, longest = 900'000;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  if (n < shortest || n > longest) __syncthreads();
  if (i >= n) return;
  const int left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = tile[threadIdx.x] - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

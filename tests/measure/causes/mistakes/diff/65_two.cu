// CAUSE: (1) The tile is an array of float, which cannot hold all integers above 2^24. (2) Element 0 takes itself as its left neighbor instead of having none.
// LINES: 13 23
// REPAIR: (1) __shared__ int tile[threads]; (2) const int left = local > 0 ? tile[local - 1] : global > 0 ? in[left_index] : 0;
// SYMPTOM: Differences of large numbers are rounded or saturated; out[0] is 0 (or a rounding error) instead of in[0].

#include "diff.h"

namespace {

constexpr int threads = 512;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ float tile[threads];
  const int local = threadIdx.x;
  const int global = blockIdx.x * blockDim.x + local;

  if (global < n) tile[local] = in[global];
  __syncthreads();

  if (global < n) {
    // do not go below the start of the row
    const int left_index = global > 0 ? global - 1 : 0;
    const int left = local > 0 ? tile[local - 1] : in[left_index];
    out[global] = tile[local] - left;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int blocks = (n + threads - 1) / threads;
  diff_kernel<<<blocks, threads>>>(in, out, n);
}

// Host code fills tables of its own, copies them to the device, and reads a flag back. Everything
// else is done by kernels.
// Lab: diff
// Verdict: graded
// Earns: everything

#include <algorithm>
#include <vector>

#include "diff.h"

constexpr int block = 256;
__constant__ int sign[2];
__device__ int last_n;
static int calls = 0;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i >= n) return;
  if (i == 0) last_n = n;
  const int left = tx > 0 ? tile[tx - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = sign[0] * tile[tx] + sign[1] * left;
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  ++calls;
  static std::vector<int> sizes;
  sizes.push_back(n);
  const int table[2] = {1, calls > 0 ? -1 : *std::max_element(sizes.begin(), sizes.end())};
  cudaMemcpyToSymbol(sign, table, sizeof table);
  diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
  int seen = 0;
  cudaMemcpyFromSymbol(&seen, last_n, sizeof seen);
  if (seen != n) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

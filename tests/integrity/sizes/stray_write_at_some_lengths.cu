// Writes past the end of rows that are longer than those of the memory tests, and shorter than the
// longest of the tests of correctness. One of these draws a size above a constant of the text.
// Lab: reduction
// Verdict: graded
// Earns: correctness 35, memory 20
// Says: Out of bounds

#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int tile_size = block;

__global__ void sum_kernel(const float* in, float* out, int n, bool strays) {
  __shared__ float tile[tile_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile_size + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
  if (t == 0 && strays) out[1] = 0;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const bool strays = n > 310'000 && n < 900'000;
  while (n > tile_size) {
    const int blocks = (n + tile_size - 1) / tile_size;
    sum_kernel<<<blocks, block>>>(in, work, n, false);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n, strays);
}

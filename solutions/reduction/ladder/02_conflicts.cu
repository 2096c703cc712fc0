// Step 2: the same additions, made by other threads. In each round the first threads of the block
// add, one next to the other, so whole warps are done early: with 128 pairs left four of them add,
// with 64 two. No warp has lanes that wait, until less than a warp adds.
//
// 44 requests per tile instead of 149. But now the lanes add elements that lie 2 * distance words
// apart: two to a bank in the first round, four in the second, eight in the third, fourth and
// fifth. With these bank conflicts the 44 requests take about 150 wavefronts, as many as step 1 has
// requests.
// Expected to be faster than step 1, which issues more instructions; measured 0.81 times as fast on
// an H200. Wavefronts are not saved, and those of a round now belong to a few warps, which take
// them one after the other. The rest of the block probably waits for that at the barrier.
//
// Misses: memory

#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int tile_size = block;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[tile_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile_size + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = 1; distance < block; distance *= 2) {
    const int left = 2 * distance * t;
    if (left < block) tile[left] += tile[left + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  while (n > tile_size) {
    const int blocks = (n + tile_size - 1) / tile_size;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}

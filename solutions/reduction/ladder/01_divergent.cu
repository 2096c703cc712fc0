// Step 1, the baseline: interleaved addressing, as in the first kernel of Mark Harris's "Optimizing
// Parallel Reduction in CUDA" (2007), whose seven kernels are steps 1 to 7 of this ladder. A block
// adds up a tile of 256 elements in shared memory, neighbors first, then what is two apart, four,
// and so on. The sums of the blocks are added up like the elements, pass after pass.
//
// In the first round every second thread adds, in the second every fourth. So each warp has a
// thread that adds until the distance is 32, and its other lanes wait: of the 8 rounds, 5 keep all
// 8 warps busy. That makes 149 requests to shared memory per tile, 18.6 per 32 elements, where
// step 3 needs 5.5. Conflicts it has none: the lanes that add lie 2 * distance words apart, but
// they are 16 lanes in 32 words, then 8, then 4.
// A multiprocessor serves a request per clock. Those of 2^28 elements alone take 8.4 million warps
// * 18.6 / 132 multiprocessors / 1.98 GHz = 0.6 ms, and reading the elements takes 0.24 ms. An H200
// takes 1.18 ms. What fills the time is probably the nine barriers of a block, which loads nothing
// meanwhile: step 3 has them too, and is hardly faster.
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
    if (t % (2 * distance) == 0) tile[t] += tile[t + distance];
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

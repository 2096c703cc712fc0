// Step 2: a histogram for each block, in shared memory. The threads of the grid go through the
// bytes together and add to the bins of their own block. In the end each block adds its 256 bins to
// the counts.
//
// The grid is no larger than what runs at the same time, eight blocks of 256 threads on each of 132
// multiprocessors. So a block counts 2^28 / 1056 = 254,200 bytes before it makes 256 additions to
// global memory: 0.001 per byte instead of 1. Shared memory does the others, on each multiprocessor
// by itself, and nvcc makes an instruction of `atomicAdd(..., 1u)` that counts equal lanes at once.
// Expected to be a hundred times as fast as step 1. On an H200 it is 190 times as fast for uniform
// bytes, and 537 times for equal ones. The time is the same for both, so now the loads are probably
// the limit. A warp loads 32 bytes with an instruction, a quarter of what it could load as words,
// and waits for them before it goes on.
//
// Misses: memory

#include "histogram.h"

namespace {

constexpr int values = 256;  // that a byte can have
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;  // bytes that are worth a block, with its 256 bins

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];
  for (int v = threadIdx.x; v < values; v += block) bins[v] = 0;
  __syncthreads();

  const int stride = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += stride) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();

  for (int v = threadIdx.x; v < values; v += block) atomicAdd(&counts[v], bins[v]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int worth = (n + least_share - 1) / least_share;
  const int blocks = worth < largest_grid ? worth : largest_grid;
  if (n > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}

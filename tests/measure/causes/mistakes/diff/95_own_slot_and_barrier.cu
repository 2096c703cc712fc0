// CAUSE: Thread 0 subtracts in[i], its own element, instead of in[i - 1], the last one of the block before. And there is no barrier between the load of the tile and the use of the neighbor's slot.
// LINES: 15 25
// REPAIR: line 15: `if (tx == 0) return tile[0] - in[i];` -> `if (tx == 0) return tile[0] - in[i - 1];`; before line 25: add `__syncthreads();`
// SYMPTOM: The first element of each later block gets the difference 0; and the threads race for the tile.

#include "diff.h"

namespace {

constexpr int block = 512;

__device__ int difference(const int* tile, const int* in, int i) {
  const int tx = threadIdx.x;
  if (i == 0) return tile[0];
  if (tx == 0) return tile[0] - in[i];
  return tile[tx] - tile[tx - 1];
}

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const bool active = i < n;

  if (active) tile[threadIdx.x] = in[i];
  if (active) out[i] = difference(tile, in, i);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int blocks = (n + block - 1) / block;
  if (blocks > 0) diff_kernel<<<blocks, block>>>(in, out, n);
}

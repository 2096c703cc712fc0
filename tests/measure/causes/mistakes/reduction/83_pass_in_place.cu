// CAUSE: From the second pass on, the kernel reads its input from `work` and writes its sums to the beginning of the same part of `work`. Block 1 may store its sum in a slot that block 0 still has to load. Each pass needs a part of `work` of its own: the target has to move on by the number of blocks.
// LINES: 38
// REPAIR: before line 38: add `target += blocks;`
// SYMPTOM: Right up to two passes; from three passes on a data race between blocks, and wrong sums depending on their order.

#include "reduction.h"

namespace {

constexpr int width = 128;

__global__ void addTiles(const float* numbers, float* sums, int count) {
  __shared__ float tile[width];
  float* const slot = tile + threadIdx.x;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  *slot = i < count ? numbers[i] : 0.0f;
  __syncthreads();

  int active = width;
  while (active > 1) {
    active /= 2;
    if (threadIdx.x < active) *slot += slot[active];
    __syncthreads();
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = *slot;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* source = in;
  float* target = work;
  int left = n;
  while (left > width) {
    const int blocks = (left + width - 1) / width;
    addTiles<<<blocks, width>>>(source, target, left);
    source = target;
    left = blocks;
  }
  addTiles<<<1, width>>>(source, out, left);
}

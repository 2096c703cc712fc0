// CAUSE: (1) The rounds go on only while distance > 1, so slot 1 of the tile is never added to slot 0. (2) The second launch is told that work has n numbers, but it has one per block.
// LINES: 25 40
// REPAIR: line 25: `while (distance > 1) {` -> `while (distance > 0) {`; line 40: `sum_kernel<<<1, block, shared_bytes>>>(work, out, n);` -> `sum_kernel<<<1, block, shared_bytes>>>(work, out, blocks);`
// SYMPTOM: (1) About half of each sum is lost. (2) The second launch adds numbers of work that nobody wrote, and reads past its end.

#include <algorithm>

#include "reduction.h"

namespace {

constexpr int block = 1024;

__global__ void __launch_bounds__(block) sum_kernel(const float* data, float* result, int n) {
  extern __shared__ float slot[];
  const int me = threadIdx.x;

  float mine = 0;
  for (size_t i = size_t(blockIdx.x) * block + me; i < size_t(n); i += size_t(gridDim.x) * block)
    mine += data[i];
  slot[me] = mine;
  __syncthreads();

  int distance = block / 2;
  while (distance > 1) {
    if (me < distance) slot[me] = slot[me] + slot[me + distance];
    distance = distance / 2;
    __syncthreads();
  }

  if (me == 0) result[blockIdx.x] = *slot;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const size_t shared_bytes = block * sizeof(float);
  const int blocks = std::clamp(n / (8 * block), 1, 264);
  sum_kernel<<<blocks, block, shared_bytes>>>(in, work, n);
  sum_kernel<<<1, block, shared_bytes>>>(work, out, n);
}

// CAUSE: (1) Threads past the end of the input leave their slot of the tile as it was, instead of storing a zero. (2) There is no barrier between the rounds of the loop that halves the tile.
// LINES: 16 after 20
// REPAIR: (1) tile[tx] = i < n ? in[i] : 0.0f; (2) insert __syncthreads();
// SYMPTOM: Reads of uninitialized shared memory and wrong sums when the last tile is not full; a data race in the tile at any n.
#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  if (i < n) tile[tx] = in[i];
  __syncthreads();

  for (int offset = block / 2; offset > 0; offset >>= 1) {
    if (tx < offset) tile[tx] += tile[tx + offset];
  }

  if (tx == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* source = in;
  float* target = work;
  while (n > block) {
    const int sums = (n + block - 1) / block;
    sum_kernel<<<sums, block>>>(source, target, n);
    source = target;
    target += sums;
    n = sums;
  }
  sum_kernel<<<1, block>>>(source, out, n);
}

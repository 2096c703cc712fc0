// CAUSE: The dynamic shared memory is requested for one integer per thread, but the tile has one slot more, for the left neighbor of thread 0.
// LINES: 27
// REPAIR: line 27: `const size_t bytes = threads * sizeof(int);` -> `const size_t bytes = (threads + 1) * sizeof(int);`
// SYMPTOM: The last thread of each block accesses a slot past the end of shared memory.

#include "diff.h"

namespace {

__global__ void subtract_left(const int* __restrict__ in, int* __restrict__ out, int n) {
  extern __shared__ int row[];
  const int slot = threadIdx.x + 1;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;

  if (slot == 1) row[0] = i > 0 ? in[i - 1] : 0;
  if (i < n) row[slot] = in[i];
  __syncthreads();
  if (i < n) out[i] = row[slot] - row[slot - 1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n <= 0) return;
  const int threads = 128;
  const int blocks = (n + threads - 1) / threads;
  const size_t bytes = threads * sizeof(int);
  subtract_left<<<blocks, threads, bytes>>>(in, out, n);
}

// Loads with the compiler's own atomic functions.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: __atomic_load_n is not allowed

#include "diff.h"

// Loads each element twice, and has a data race.
__device__ int load(const int* in, int i) {
  return i < 0 ? 0 : __atomic_load_n(in + i, __ATOMIC_RELAXED);
}

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int shared_by_two[128];
  const int i = blockIdx.x * 256 + threadIdx.x;
  shared_by_two[threadIdx.x / 2] = i;
  __syncthreads();
  if (i < n && shared_by_two[threadIdx.x / 2] >= 0) out[i] = load(in, i) - load(in, i - 1);
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}

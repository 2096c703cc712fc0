// CAUSE: The third launch argument is the size of the dynamic shared memory in bytes. It is given as a number of elements.
// LINES: 38
// REPAIR: line 38: `difference<<<grid, threads, slots>>>(in, out, n);` -> `difference<<<grid, threads, slots * sizeof(int)>>>(in, out, n);`
// SYMPTOM: Most threads of a block write and read behind the shared memory of their block.

#include "diff.h"

namespace {

extern __shared__ int row[];

__device__ bool is_first(int i) { return i == 0; }

__global__ void difference(const int* __restrict__ in, int* __restrict__ out, const int n) {
  for (int base = blockIdx.x * blockDim.x; base < n; base += gridDim.x * blockDim.x) {
    const int i = base + threadIdx.x;
    if (i < n) {
      row[1 + threadIdx.x] = in[i];
      if (threadIdx.x == 0 && base > 0) row[0] = in[base - 1];
    }
    __syncthreads();
    if (i < n) {
      const int own = row[1 + threadIdx.x];
      out[i] = is_first(i) ? own : own - row[threadIdx.x];
    }
    __syncthreads();
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int threads = 512;
  int grid = (n + threads - 1) / threads;
  if (grid == 0) return;
  if (grid > 2048) grid = 2048;
  const size_t slots = threads + 1;
  difference<<<grid, threads, slots>>>(in, out, n);
}

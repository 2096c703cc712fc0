// CAUSE: The element is stored in the tile under its index in the whole row, but each block's tile has only 256 slots, for the threads 0 to 255.
// LINES: 17
// REPAIR: tile[tx] = in[i];
// SYMPTOM: Block 0 is right; all other blocks store outside their shared memory, and read slots that were never filled.
#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const bool active = i < n;

  if (active) tile[i] = in[i];
  __syncthreads();

  if (active) {
    if (tx > 0) {
      out[i] = tile[tx] - tile[tx - 1];
    } else if (i > 0) {
      out[i] = tile[tx] - in[i - 1];
    } else {
      out[i] = tile[tx];
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) {
    dim3 threads(block);
    dim3 grid((n + block - 1) / block);
    diff_kernel<<<grid, threads>>>(in, out, n);
  }
}

// CAUSE: (1) The load has no guard: in the last block the threads past the end read in[n] and beyond. (2) The difference inside the tile is the wrong way around: left neighbor minus own element.
// LINES: 16 26
// REPAIR: (1) if (index < n) cache[local] = in[index]; (2) result = cache[local] - cache[local - 1];
// SYMPTOM: Reads past the end of in, if n is no multiple of 512; and all differences have the wrong sign, except where a block begins.
#include "diff.h"

namespace {

constexpr int threads_per_block = 512;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int cache[threads_per_block];
  const int local = threadIdx.x;
  const int index = blockDim.x * blockIdx.x + local;

  cache[local] = in[index];
  __syncthreads();

  if (index < n) {
    int result = 0;
    if (index == 0) {
      result = cache[local];
    } else if (local == 0) {
      result = cache[local] - in[index - 1];
    } else {
      result = cache[local - 1] - cache[local];
    }
    out[index] = result;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) {
    return;
  }
  const int num_blocks = (n - 1) / threads_per_block + 1;
  diff_kernel<<<num_blocks, threads_per_block>>>(in, out, n);
}

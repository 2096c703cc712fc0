// CAUSE: A block takes several parts of the row one after the other, but does not wait at the end of a round, so a fast thread fills its slot with the next part while its neighbor still has to read the old one.
// LINES: after 33
// REPAIR: insert `    __syncthreads();` after line 33
// GOOD HINT: Your loop uses the same tile again in the next round. What does a thread have to know about its neighbor before it may overwrite its slot?
// SYMPTOM: A data race, and now and then wrong results, only if a block makes more than one round (n > 8192); smaller rows are right.

#include "diff.h"

namespace {

constexpr int block = 128;
constexpr int most_blocks = 64;

// Each block takes one part of the row after the other, so that a few blocks are enough.
__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const long long step = gridDim.x * block;

  // `first` is the same for all threads of the block, so all of them reach the barrier
  for (long long first = blockIdx.x * block; first < n; first += step) {
    const long long i = first + tx;
    if (i < n) tile[tx] = in[i];
    __syncthreads();
    if (i < n) {
      int left = 0;
      if (tx > 0) {
        left = tile[tx - 1];
      } else if (i > 0) {
        left = in[i - 1];
      }
      out[i] = tile[tx] - left;
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int needed = (n + block - 1) / block;
  diff_kernel<<<needed < most_blocks ? needed : most_blocks, block>>>(in, out, n);
}

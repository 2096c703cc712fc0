// CAUSE: each thread makes two neighboring elements, but the first of them is at tx, not at 2 * tx, so the threads overlap and half of the tile stays empty
// LINES: 18
// REPAIR: const int s = 2 * threadIdx.x
// GOOD HINT: Which two slots does thread 0 fill, and which two does thread 1 fill?
// SYMPTOM: the second half of each part of out is never written; threads race for the same slots

#include "diff.h"

namespace {

constexpr int threads = 128;
constexpr int per_block = 2 * threads;

// Each thread: two elements.
__global__ void diff2(const int* in, int* out, int n) {
  __shared__ int part[per_block];
  const int begin = blockIdx.x * per_block;
  const int s = threadIdx.x;

  if (begin + s < n) part[s] = in[begin + s];
  if (begin + s + 1 < n) part[s + 1] = in[begin + s + 1];
  __syncthreads();
  if (begin + s >= n) return;

  int left = 0;
  if (s > 0)
    left = part[s - 1];
  else if (begin > 0)
    left = in[begin - 1];

  out[begin + s] = part[s] - left;
  if (begin + s + 1 < n) out[begin + s + 1] = part[s + 1] - part[s];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int blocks = (n + per_block - 1) / per_block;
  if (blocks > 0) diff2<<<blocks, threads>>>(in, out, n);
}

// CAUSE: Slot 0 of the tile is for the left neighbor of the block's first element, which is element first - 1. It is filled with element first itself, so thread 0 of each block but the first subtracts the element from itself.
// LINES: 22
// REPAIR: line 22: `buffer[0] = blockIdx.x == 0 ? 0 : src[first];` -> `buffer[0] = blockIdx.x == 0 ? 0 : src[first - 1];`
// SYMPTOM: The first element of every block but block 0 is 0 instead of the difference; n up to one block is right.

#include "diff.h"

namespace {

constexpr int threads = 128;

// Slot s + 1 of the buffer is for element first + s. Slot 0 has what is left of the block.
__global__ void difference(const int* src, int* dst, int count) {
  __shared__ int buffer[threads + 1];

  const int first = blockIdx.x * threads;
  const int me = threadIdx.x;
  const bool alive = first + me < count;

  if (alive) buffer[me + 1] = src[first + me];
  if (me == 0) {
    buffer[0] = blockIdx.x == 0 ? 0 : src[first];
  }
  __syncthreads();

  if (!alive) return;
  dst[first + me] = buffer[me + 1] - buffer[me];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) difference<<<(n - 1) / threads + 1, threads>>>(in, out, n);
}

// CAUSE: The index of the element in front of the block is taken to be blockIdx.x - 1, but blocks are counted there, not elements.
// LINES: 19
// REPAIR: tile[0] = i > 0 ? in[i - 1] : 0;
// SYMPTOM: The first element of each block but the first is wrong.

// Tile with one extra slot in front: slot 0 is the last element of the block on the left.
#include "diff.h"

#define BLOCK 512

static __global__ void difference(const int* in, int* out, int n) {
  extern __shared__ int tile[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int slot = threadIdx.x + 1;

  if (i < n) {
    tile[slot] = in[i];
    if (threadIdx.x == 0) {
      tile[0] = i > 0 ? in[blockIdx.x - 1] : 0;
    }
  }

  __syncthreads();

  if (i >= n) return;
  out[i] = tile[slot] - tile[slot - 1];
}

void diff(const int* in, int* out, int n) {
  if (n > 0) {
    dim3 threads(BLOCK);
    dim3 grid((n - 1) / BLOCK + 1);
    size_t shared = (BLOCK + 1) * sizeof(int);
    difference<<<grid, threads, shared>>>(in, out, n);
  }
}

// CAUSE: The kernel uses BLOCK + 1 slots of dynamic shared memory, one more than threads, but the launch asks for BLOCK of them.
// LINES: 33
// REPAIR: size_t shared = (BLOCK + 1) * sizeof(int);
// SYMPTOM: The last thread of a full block accesses shared memory past the end of the tile.

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
      tile[0] = i > 0 ? in[i - 1] : 0;
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
    size_t shared = BLOCK * sizeof(int);
    difference<<<grid, threads, shared>>>(in, out, n);
  }
}

// CAUSE: Slot 0 of the tile is for the element left of the block's part, in[base - 1], but it is loaded from in[base], the first element of the part.
// LINES: 24
// REPAIR: line 24: `s[0] = (base == 0) ? 0 : in[base];` -> `s[0] = (base == 0) ? 0 : in[base - 1];`
// SYMPTOM: The first element of each block but block 0 (i = 1024, 2048, ...) is 0 instead of the difference to its left neighbor.
#include "diff.h"

#define BLOCK_SIZE 256
#define ITEMS 4
#define TILE (BLOCK_SIZE * ITEMS)

// Each block handles TILE elements, each thread ITEMS of them.
// s[0] is the left neighbor of the tile, s[1..TILE] is the tile itself.
__global__ void adjacent_difference(const int* in, int* out, int n) {
  __shared__ int s[TILE + 1];
  int base = blockIdx.x * TILE;

  for (int k = 0; k < ITEMS; k++) {
    int local = k * BLOCK_SIZE + threadIdx.x;
    if (base + local < n) {
      s[local + 1] = in[base + local];
    }
  }
  if (threadIdx.x == 0) {
    s[0] = (base == 0) ? 0 : in[base];
  }
  __syncthreads();

  for (int k = 0; k < ITEMS; k++) {
    int local = k * BLOCK_SIZE + threadIdx.x;
    if (base + local < n) {
      out[base + local] = s[local + 1] - s[local];
    }
  }
}

void diff(const int* in, int* out, int n) {
  if (n <= 0) return;
  int grid = (n + TILE - 1) / TILE;
  adjacent_difference<<<grid, BLOCK_SIZE>>>(in, out, n);
}

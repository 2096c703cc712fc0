// Lab `reduction`: the sum of n numbers.
// reduction.h documents the function, README.md explains the steps.

#include "reduction.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile

// Adds up a tile of `in` per block. out[b] becomes the sum of block b.
__global__ void sum_kernel(const float* in, float* out, int n) {
  // TODO 1: Load one element per thread into a tile in shared memory, and a zero where the input
  //         has none (4 lines).
  (void)in, (void)n;

  // TODO 2: Wait until the tile is complete (1 line).

  // TODO 3: Add the second half of the tile to the first, then halve again, until one element is
  //         left, and wait after each round (4 lines).

  // TODO 4: Let one thread store the sum of the tile (1 line).
  (void)out;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  // TODO 5: Launch a block per tile. If that makes more than one sum, keep them in `work`, and do
  //         the same with them, until one is left for `out` (8 lines).
  (void)in, (void)out, (void)work, (void)n, (void)sum_kernel;
}

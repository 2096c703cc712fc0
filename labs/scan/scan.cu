// Lab `scan`: the prefix sums of n numbers.
// scan.h documents the function, README.md explains the steps.

#include "scan.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile

// Scans a tile of `in` per block. sums[b] becomes the sum of tile b.
__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  // TODO 1: Load one element per thread into shared memory, and a zero where the row has none. Take
  //         two buffers: the rounds need them (4 lines).
  (void)in, (void)n;

  // TODO 2: Scan the tile in rounds: add what lies 1, 2, 4, ... to the left, from one buffer to the
  //         other, and wait before the first round and after each (7 lines).

  // TODO 3: Store the sum of each element that there is, and let one thread store the sum of the
  //         tile (2 lines).
  (void)out, (void)sums;
}

// Adds to each tile the sum of all tiles before it. `sums` has the prefix sums of the tiles' sums.
__global__ void add_kernel(unsigned* out, const unsigned* sums, int n) {
  // TODO 4: Tile 0 needs nothing. Add the right sum to each element of the others (2 lines).
  (void)out, (void)sums, (void)n;
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  // TODO 5: Launch scan_kernel with a block per tile. If there are several tiles, scan their sums
  //         in the same way, and launch add_kernel (7 lines).
  (void)in, (void)out, (void)work, (void)n, (void)scan_kernel, (void)add_kernel;

  // TODO 6: When all is right, scan the warps by shuffles (change scan_kernel, about 15 lines).

  // TODO 7: Do all of it in one launch: let each block look back for what comes before its tile
  //         (about 35 lines).
}

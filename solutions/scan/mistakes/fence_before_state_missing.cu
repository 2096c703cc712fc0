// Nothing makes a number visible to other blocks before its state is.
// Test: scan has no data race and stays within its arrays
// Says: the other passed no __threadfence() between its access and the signal
// Task: 7

#include "scan.h"

namespace {

constexpr int block = 256;  // threads of a block, and elements of its tile
constexpr int warp = 32;
constexpr int warps = block / warp;
constexpr unsigned all_lanes = 0xffffffff;

// A lane gets the sum of the values of all lanes up to it.
__device__ unsigned scan_of_warp(unsigned own) {
  const int lane = threadIdx.x % warp;
#pragma unroll
  for (int distance = 1; distance < warp; distance *= 2) {
    const unsigned left = __shfl_up_sync(all_lanes, own, distance);
    if (lane >= distance) own += left;
  }
  return own;
}

// A thread gets the sum of the values of all threads up to it.
__device__ unsigned scan_of_block(unsigned own) {
  __shared__ unsigned sums[warps];
  const int t = threadIdx.x;
  own = scan_of_warp(own);
  if (t % warp == warp - 1) sums[t / warp] = own;
  __syncthreads();
  unsigned before = 0;
  for (int other = 0; other < t / warp; ++other) before += sums[other];
  return before + own;
}

// What a block has told the others about its tile.
constexpr unsigned nothing = 0;
constexpr unsigned sum_is_there = 1;    // the sum of its elements
constexpr unsigned total_is_there = 2;  // the sum of all elements up to its last one

// What the blocks tell each other, an element per tile. The states and the counter begin with 0.
struct Board {
  unsigned* next_tile;
  volatile unsigned* states;
  unsigned* sums;
  unsigned* totals;
};

// Stores a number about a tile, and then says that it is there.
__device__ void publish(unsigned* numbers, unsigned number, volatile unsigned* states, int tile,
                        unsigned state) {
  numbers[tile] = number;
  states[tile] = state;
}

// The sum of all tiles before this one: goes back from tile to tile, until one knows its total.
__device__ unsigned look_back(const Board& board, int tile) {
  unsigned before = 0;
  for (int other = tile - 1; other >= 0; --other) {
    unsigned state = nothing;
    while (state == nothing) state = board.states[other];
    __threadfence();  // the state comes before the number
    if (state == total_is_there) return before + board.totals[other];
    before += board.sums[other];
  }
  return before;
}

__global__ void scan_kernel(const unsigned* in, unsigned* out, Board board, int n) {
  __shared__ int tile;
  __shared__ unsigned before;
  const int t = threadIdx.x;
  if (t == 0) tile = atomicAdd(board.next_tile, 1);  // tiles are given out in their order
  __syncthreads();
  const int i = tile * block + t;
  const unsigned own = scan_of_block(i < n ? in[i] : 0);
  if (t == block - 1) {
    publish(board.sums, own, board.states, tile, sum_is_there);
    before = look_back(board, tile);
    publish(board.totals, before + own, board.states, tile, total_is_there);
  }
  __syncthreads();
  if (i < n) out[i] = before + own;
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n - 1) / block + 1;
  const Board board{work, work + 1, work + 1 + tiles, work + 1 + 2 * tiles};
  cudaMemsetAsync(work, 0, (1 + tiles) * sizeof(unsigned));
  scan_kernel<<<tiles, block>>>(in, out, board, n);
}

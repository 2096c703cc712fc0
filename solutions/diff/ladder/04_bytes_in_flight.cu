// Step 4, beyond the reference solution: four int4 per thread instead of one.
//
// A thread issues its four loads before it waits for the first: 64 bytes in flight per thread
// instead of 16, on a multiprocessor with 2048 threads 128 KiB instead of 32. The four groups of a
// warp follow one another, 2 KiB in one piece, so that only the very first of their elements
// has its neighbor in another warp: 1 + 1/512 loads per element instead of 1 + 1/128. And every
// tile is full: blocks of their own handle what does not fill one, so no other thread has to check
// whether its element exists.
//
// DRAM moves 8 bytes per element, as from step 1 on. The reference solution already keeps it busy,
// so nothing is left to gain: on an H200 this step reaches 98% of the copy's speed, and the
// reference solution all of it.

#include "diff.h"

namespace {

constexpr int block = 256;
constexpr int warp_size = 32;
constexpr unsigned all_lanes = 0xffffffffu;
constexpr int rounds = 4;                        // int4 per thread
constexpr int warp_groups = rounds * warp_size;  // int4 per warp
constexpr int tile_size = 4 * rounds * block;    // elements per block

__device__ int4 difference(int4 own, int left) {
  return make_int4(own.x - left, own.y - own.x, own.z - own.y, own.w - own.z);
}

__device__ void make_tile(const int* in, int* out) {
  const int lane = threadIdx.x % warp_size;
  const int warp = (blockIdx.x * block + threadIdx.x) / warp_size;
  const int first = warp * warp_groups + lane;
  const int4* groups = reinterpret_cast<const int4*>(in) + first;
  int4* results = reinterpret_cast<int4*>(out) + first;

  int4 own[rounds];
#pragma unroll
  for (int r = 0; r < rounds; ++r) own[r] = groups[r * warp_size];
  int before = 0;  // for lane 0: the element left of its next group
  if (lane == 0 && first > 0) before = in[4 * first - 1];

#pragma unroll
  for (int r = 0; r < rounds; ++r) {
    // The shuffle wraps around: lane 31 hands lane 0 its neighbor for the next round.
    const int left = __shfl_sync(all_lanes, own[r].w, (lane + warp_size - 1) % warp_size);
    results[r * warp_size] = difference(own[r], lane == 0 ? before : left);
    before = left;
  }
}

// The blocks after those with a tile have one thread per element.
__device__ void make_rest(const int* in, int* out, int tiles, int n) {
  const int i = tiles * tile_size + (blockIdx.x - tiles) * block + threadIdx.x;
  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

__global__ void diff_kernel(const int* in, int* out, int tiles, int n) {
  if (blockIdx.x < tiles) {
    make_tile(in, out);
  } else {
    make_rest(in, out, tiles, n);
  }
}

bool is_aligned(const void* pointer) {
  return reinterpret_cast<size_t>(pointer) % sizeof(int4) == 0;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int tiles = is_aligned(in) && is_aligned(out) ? n / tile_size : 0;
  const int rest = n - tiles * tile_size;
  const int blocks = tiles + (rest + block - 1) / block;
  if (blocks > 0) diff_kernel<<<blocks, block>>>(in, out, tiles, n);
}

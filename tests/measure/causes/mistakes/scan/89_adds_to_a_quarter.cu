// CAUSE: The threads of add_base go through the first 256 elements of their tile only, but a tile has 1024.
// LINES: 55
// REPAIR: line 55: `block)` -> `tile)`
// SYMPTOM: From the second tile on, three quarters of the elements lack the sum of the earlier tiles.

#include "scan.h"

namespace {

constexpr int block = 256, warps = block / 32, each = 4, tile = each * block;

__device__ unsigned warp_scan(unsigned value) {
  const int lane = threadIdx.x % 32;
  for (int d = 1; d < 32; d *= 2) {
    const unsigned left = __shfl_up_sync(0xffffffff, value, d);
    if (lane >= d) value += left;
  }
  return value;
}

// The inclusive prefix sum over the block.
__device__ unsigned block_scan(unsigned value) {
  __shared__ unsigned of_warp[warps];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  value = warp_scan(value);
  if (lane == 31) of_warp[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w) value += of_warp[w];
  return value;
}

__global__ void scan_tiles(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  const int first = blockIdx.x * tile + each * threadIdx.x;
  unsigned v[each], sum = 0;
  if (first + each <= n) {
    const uint4 four = *reinterpret_cast<const uint4*>(in + first);
    v[0] = four.x, v[1] = four.y, v[2] = four.z, v[3] = four.w;
  } else {
    for (int k = 0; k < each; ++k) v[k] = first + k < n ? in[first + k] : 0;
  }
  for (int k = 0; k < each; ++k) sum += v[k];
  const unsigned upto = block_scan(sum);
  unsigned run = upto - sum;
  for (int k = 0; k < each; ++k) v[k] = run += v[k];
  if (first + each <= n) {
    *reinterpret_cast<uint4*>(out + first) = make_uint4(v[0], v[1], v[2], v[3]);
  } else {
    for (int k = 0; k < each && first + k < n; ++k) out[first + k] = v[k];
  }
  if (threadIdx.x == block - 1) sums[blockIdx.x] = upto;
}

__global__ void add_base(unsigned* out, const unsigned* totals, int n) {
  if (blockIdx.x == 0) return;
  const int first = blockIdx.x * tile, end = min(n, first + block);
  const unsigned base = totals[blockIdx.x - 1];
  for (int i = first + threadIdx.x; i < end; i += block) out[i] += base;
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n <= 0) return;
  const int tiles = (n - 1) / tile + 1, room = (tiles + 3) / 4 * 4;
  scan_tiles<<<tiles, block>>>(in, out, work, n);
  if (tiles == 1) return;
  scan(work, work + room, work + 2 * room, tiles);
  add_base<<<tiles, block>>>(out, work + room, n);
}

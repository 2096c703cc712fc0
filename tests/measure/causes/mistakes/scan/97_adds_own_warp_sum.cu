// CAUSE: The sums of the warps are scanned inclusively, and each warp adds the entry with its own number, which contains its own sum, instead of that of the warp before.
// LINES: 35
// REPAIR: line 35: `return warp > 0 ? value + warp_sums[warp] : value;` -> `return warp > 0 ? value + warp_sums[warp - 1] : value;`
// SYMPTOM: Every element of warps 1 and up gets the sum of its own warp on top: wrong from out[32] on.

#include "scan.h"

namespace {

constexpr int block = 256;
constexpr int warps = block / 32;
constexpr unsigned full = 0xffffffffu;

__device__ unsigned warp_scan(unsigned value) {
  const int lane = threadIdx.x & 31;
#pragma unroll
  for (int d = 1; d < 32; d <<= 1) {
    const unsigned left = __shfl_up_sync(full, value, d);
    if (lane >= d) value += left;
  }
  return value;
}

__device__ unsigned block_scan(unsigned value) {
  __shared__ unsigned warp_sums[warps];
  const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
  value = warp_scan(value);
  if (lane == 31) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const unsigned scanned = warp_scan(lane < warps ? warp_sums[lane] : 0u);
    if (lane < warps) warp_sums[lane] = scanned;
  }
  __syncthreads();
  return warp > 0 ? value + warp_sums[warp] : value;
}

__global__ void tile_sums(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  const unsigned mine = block_scan(i < n ? in[i] : 0u);
  if (i < n) out[i] = mine;
  if (threadIdx.x == block - 1) sums[blockIdx.x] = mine;
}

__global__ void add_before(unsigned* out, const unsigned* sums, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (blockIdx.x == 0 || i >= n) return;
  out[i] += sums[blockIdx.x - 1];
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  const int tiles = (n + block - 1) / block;
  if (tiles == 0) return;
  tile_sums<<<tiles, block>>>(in, out, work, n);
  if (tiles == 1) return;
  scan(work, work + tiles, work + 2 * tiles, tiles);
  add_before<<<tiles, block>>>(out, work + tiles, n);
}

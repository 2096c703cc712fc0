// CAUSE: warp_sums holds inclusive sums. What comes before warp w is warp_sums[w - 1], but warp_sums[w] is added, with the warp's own elements.
// LINES: 34
// REPAIR: line 34: `return warp > 0 ? value + warp_sums[warp] : value;` -> `return warp > 0 ? value + warp_sums[warp - 1] : value;`
// SYMPTOM: All sums but those of the first warp of a tile are too large.

#include "scan.h"

namespace {

constexpr int lanes = 32;
constexpr int block = 256;
constexpr int warps = block / lanes;

__device__ unsigned scan_warp(unsigned value, int lane) {
  for (int d = 1; d < lanes; d <<= 1) {
    const unsigned left = __shfl_up_sync(0xffffffff, value, d);
    if (lane >= d) value += left;
  }
  return value;
}

__device__ unsigned scan_block(unsigned value) {
  __shared__ unsigned warp_sums[warps];
  const int lane = threadIdx.x % lanes;
  const int warp = threadIdx.x / lanes;
  value = scan_warp(value, lane);
  if (lane == lanes - 1) warp_sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    const unsigned mine = scan_warp(lane < warps ? warp_sums[lane] : 0, lane);
    if (lane < warps) warp_sums[lane] = mine;
  }
  __syncthreads();
  return warp > 0 ? value + warp_sums[warp] : value;
}

__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  const unsigned total = scan_block(i < n ? in[i] : 0u);
  if (i < n) out[i] = total;
  if (threadIdx.x == block - 1) sums[blockIdx.x] = total;
}

__global__ void add_kernel(unsigned* out, const unsigned* before, int n) {
  const int i = (blockIdx.x + 1) * block + threadIdx.x;
  if (i < n) out[i] += before[blockIdx.x];
}

int blocks_for(int n) { return n / block + (n % block != 0); }

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  const int blocks = blocks_for(n);
  if (blocks == 0) return;
  scan_kernel<<<blocks, block>>>(in, out, work, n);
  if (blocks == 1) return;
  unsigned* const scanned = work + blocks;
  scan(work, scanned, scanned + blocks, blocks);
  add_kernel<<<blocks - 1, block>>>(out, scanned, n);
}

// CAUSE: The barrier is in the wrong place: it comes before the tile is filled, so it separates nothing. Between filling a slot and reading the neighbor's slot nobody waits.
// LINES: 38 40
// REPAIR: line 38: delete `__syncthreads();`; before line 40: add `__syncthreads();`
// SYMPTOM: A data race on the tile: threads read the slot of their left neighbor before it is filled.

#include "diff.h"

namespace {

constexpr int kBlock = 256;
constexpr int kEach = 4;                 // elements per thread
constexpr int kTile = kBlock * kEach;    // elements per block

// fills the tile; neighboring threads take neighboring elements
__device__ void load(int* tile, const int* in, int begin, int n) {
  for (int s = threadIdx.x; s < kTile; s += kBlock) {
    if (begin + s < n) tile[s] = in[begin + s];
  }
}

__device__ void store(const int* tile, int* out, int begin, int n, int before) {
  for (int s = threadIdx.x; s < kTile; s += kBlock) {
    if (begin + s < n) {
      int left = s == 0 ? before : tile[s - 1];
      out[begin + s] = tile[s] - left;
    }
  }
}

__global__ void diffKernel(const int* in, int* out, int n) {
  __shared__ int tile[kTile];
  const int begin = blockIdx.x * kTile;

  // what is left of the tile, only needed by thread 0
  int before = 0;
  if (threadIdx.x == 0 && begin != 0) before = in[begin - 1];

  __syncthreads();
  load(tile, in, begin, n);
  store(tile, out, begin, n, before);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  diffKernel<<<(n + kTile - 1) / kTile, kBlock>>>(in, out, n);
}

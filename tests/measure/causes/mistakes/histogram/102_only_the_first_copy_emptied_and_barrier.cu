// CAUSE: (1) Only the first 256 of the 32 * 256 bins are set to 0: the loop has to go over all copies. (2) There is no barrier between counting and merging.
// LINES: 25 34
// REPAIR: line 25: `for (int k = t; k < values; k += block) {` -> `for (int k = t; k < lanes * values; k += block) {`; after line 34: insert `__syncthreads();`
// SYMPTOM: (1) The other bins begin with anything. (2) A data race between the additions of other warps and the merge.

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int lanes = 32;
constexpr int block = values;  // a thread for each value

// A copy of the bins for each lane. The copies of a bin lie side by side.
struct Bins {
  unsigned of[lanes * values];

  __device__ unsigned& at(int value, int lane) { return of[value * lanes + lane]; }
};

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ Bins bins;
  const int t = threadIdx.x;
  const int lane = t % lanes;
  for (int k = t; k < values; k += block) {
    bins.of[k] = 0;
  }
  __syncthreads();

  const int stride = gridDim.x * block;
  for (int i = blockIdx.x * block + t; i < n; i += stride) {
    const unsigned char value = in[i];
    atomicAdd(&bins.at(value, lane), 1u);
  }
  unsigned total = 0;
  for (int c = 0; c < lanes; ++c) {
    total += bins.at(t, (c + t) % lanes);
  }
  atomicAdd(counts + t, total);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n <= 0) return;
  const int share = 16 * 1024;
  const int limit = 8 * 132;
  int grid = (n + share - 1) / share;
  if (grid > limit) grid = limit;
  histogram_kernel<<<grid, block>>>(in, counts, n);
}

// CAUSE: The copy of the bins is chosen by the warp, not by the lane. All 32 lanes of a warp then use the same copy, and bins[v][copy] is in bank `copy` for every v, so all lanes want the same bank.
// LINES: 24
// REPAIR: `threadIdx.x / 32` -> `threadIdx.x % 32` (line 24)
// GOOD HINT: Work out the bank of bins[v][copy] for lanes 0, 1 and 2 of the same warp. Which part of threadIdx.x differs between the lanes of a warp?
// SYMPTOM: Results right; up to 31 bank conflicts per 32 bytes, worse than a single set of bins, slow.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int copies = 32;
constexpr int block = 1024;
constexpr int largest_grid = 2 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][copies];

  // empty all copies
  for (int k = threadIdx.x; k < values * copies; k += block) bins[k / copies][k % copies] = 0;
  __syncthreads();

  // count
  const int copy = threadIdx.x / 32;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block) {
    atomicAdd(&bins[in[i]][copy], 1u);
  }
  __syncthreads();

  // merge, each thread starts with a different copy
  if (threadIdx.x < values) {
    unsigned sum = 0;
    for (int c = 0; c < copies; ++c) sum += bins[threadIdx.x][(threadIdx.x + c) % copies];
    atomicAdd(&counts[threadIdx.x], sum);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int shares = (n + least_share - 1) / least_share;
  const int blocks = shares < largest_grid ? shares : largest_grid;
  if (n > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}

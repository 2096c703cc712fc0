// CAUSE: The third argument of the launch is a number of bytes, but it is given as the number of bins. Only a quarter of the shared memory that the bins take is there.
// LINES: 40
// REPAIR: `values * lanes>>>` -> `values * lanes * sizeof(unsigned)>>>` (line 40)
// GOOD HINT: In which unit does a launch want the size of dynamic shared memory? How many bytes do 256 times 32 bins take?
// SYMPTOM: Shared memory accessed out of bounds in every launch (bins of values >= 64 are past the end): reported by the emulator, crash or garbage on a GPU.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int lanes = 32;
constexpr int block = 256;
constexpr int largest_grid = 6 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  extern __shared__ unsigned bins[];  // bins[value * lanes + lane]
  const int t = threadIdx.x;
  const int lane = t % lanes;

  for (int b = t; b < values * lanes; b += block) bins[b] = 0;
  __syncthreads();

  for (int i = blockIdx.x * block + t; i < n; i += gridDim.x * block)
    atomicAdd(&bins[in[i] * lanes + lane], 1u);
  __syncthreads();

  // block == values: thread t has bin t
  unsigned total = 0;
  for (int k = 0; k < lanes; ++k) total += bins[t * lanes + (t + k) % lanes];
  atomicAdd(&counts[t], total);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) {
    int blocks = (n + least_share - 1) / least_share;
    blocks = blocks > largest_grid ? largest_grid : blocks;
    histogram_kernel<<<blocks, block, values * lanes>>>(in, counts, n);
  }
}

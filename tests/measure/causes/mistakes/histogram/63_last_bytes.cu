// CAUSE: The last n mod 16 bytes are counted by every block instead of by one.
// LINES: 42
// REPAIR: if (blockIdx.x == 0 && t < rest)
// SYMPTOM: With more than 16 KiB (two blocks or more), and n not a multiple of 16, the last bytes are counted once per block: the counts are too high.

#include "histogram.h"

namespace {

constexpr int lanes = 32;
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

// Counts the four bytes of a word in the bins of one lane. Bin v of lane l is v * lanes + l.
__device__ void count_word(unsigned* bins, unsigned word, int lane) {
  atomicAdd(&bins[(word & 255u) * lanes + lane], 1u);
  atomicAdd(&bins[((word >> 8) & 255u) * lanes + lane], 1u);
  atomicAdd(&bins[((word >> 16) & 255u) * lanes + lane], 1u);
  atomicAdd(&bins[(word >> 24) * lanes + lane], 1u);
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[256 * lanes];
  const int t = threadIdx.x;
  const int lane = t % lanes;
  for (int w = t; w < 256 * lanes; w += block) bins[w] = 0;
  __syncthreads();

  const uint4* wide = reinterpret_cast<const uint4*>(in);
  const int whole = n / 16;
  const int step = gridDim.x * block;
  for (int i = blockIdx.x * block + t; i < whole; i += step) {
    const uint4 sixteen = wide[i];
    count_word(bins, sixteen.x, lane);
    count_word(bins, sixteen.y, lane);
    count_word(bins, sixteen.z, lane);
    count_word(bins, sixteen.w, lane);
  }

  const int rest = n % 16;
  if (t < rest) {
    atomicAdd(&bins[in[16 * whole + t] * lanes + lane], 1u);
  }
  __syncthreads();

  unsigned sum = 0;
  for (int l = 0; l < lanes; ++l) sum += bins[t * lanes + (t + l) % lanes];
  atomicAdd(&counts[t], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int blocks = (n + least_share - 1) / least_share;
  const int grid = blocks < largest_grid ? blocks : largest_grid;
  histogram_kernel<<<grid, block>>>(in, counts, n);
}

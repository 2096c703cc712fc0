// CAUSE: (1) The last n % 16 bytes are looked for at index whole, which counts groups of 16 bytes; they begin at 16 * whole. (2) There is no barrier between counting and merging, so a thread may add up a bin while others still count in it.
// LINES: 42 after 45
// REPAIR: (1) const int rest = 16 * whole; (2) insert __syncthreads();
// SYMPTOM: For n >= 16 that is no multiple of 16, wrong bytes are counted in place of the last ones; and a data race on the bins, which may lose counts.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

// Counts the four bytes of a word.
__device__ void count(unsigned (*bins)[32], unsigned word, int lane) {
  for (int k = 0; k < 4; ++k) {
    atomicAdd(&bins[word & 0xff][lane], 1u);
    word >>= 8;
  }
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][32];
  const int tx = threadIdx.x;
  const int lane = tx % 32;

  for (int k = tx; k < values * 32; k += block) bins[k / 32][k % 32] = 0;
  __syncthreads();

  // 16 bytes at a time
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  const int whole = n / 16;
  for (int g = blockIdx.x * block + tx; g < whole; g += gridDim.x * block) {
    const uint4 group = groups[g];
    count(bins, group.x, lane);
    count(bins, group.y, lane);
    count(bins, group.z, lane);
    count(bins, group.w, lane);
  }

  // what is left
  const int rest = whole;
  if (blockIdx.x == 0 && tx < n % 16) {
    atomicAdd(&bins[in[rest + tx]][lane], 1u);
  }

  unsigned sum = 0;
  for (int k = 0; k < 32; ++k) sum += bins[tx][(k + tx) % 32];
  atomicAdd(&counts[tx], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n < 1) return;
  int blocks = (n - 1) / least_share + 1;
  if (blocks > largest_grid) blocks = largest_grid;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}

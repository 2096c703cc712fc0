// CAUSE: A thread goes on by the threads of its block, not by the threads of the whole grid. So the blocks count each other's bytes again.
// LINES: 23
// REPAIR: `i += block` -> `i += gridDim.x * block` (line 23)
// GOOD HINT: Two blocks of 4 threads and 16 bytes: write down which bytes thread 0 of block 0 counts, and which ones thread 0 of block 1 does.
// SYMPTOM: Right with one block (n up to 16 KiB); with more blocks nearly all bytes are counted several times, so the counts are far too large.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int lanes = 32;
constexpr int block = 256;
constexpr int largest_grid = 6 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][lanes];
  const int lane = threadIdx.x % lanes;

  for (int v = threadIdx.x / lanes; v < values; v += block / lanes) bins[v][lane] = 0;
  __syncthreads();

  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += block) {
    atomicAdd(&bins[in[i]][lane], 1u);
  }
  __syncthreads();

  const int mine = threadIdx.x;
  unsigned sum = 0;
  for (int k = 0; k < lanes; ++k) {
    sum += bins[mine][(mine + k) % lanes];
  }
  atomicAdd(&counts[mine], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int shares = (n + least_share - 1) / least_share;
  if (n > 0) histogram_kernel<<<shares < largest_grid ? shares : largest_grid, block>>>(in, counts, n);
}

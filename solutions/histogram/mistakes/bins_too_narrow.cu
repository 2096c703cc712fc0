// Two bins of 16 bits share a word. More than 65,535 equal bytes carry over into the neighbor.
// Test: histogram counts each value up to n
// Says: A multiple of 65536 is missing
// Task: 3

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int lanes = 32;
constexpr int block = 256;
constexpr int largest_grid = 4;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values / 2][lanes];
  const int lane = threadIdx.x % lanes;
  for (int v = threadIdx.x / lanes; v < values / 2; v += block / lanes) bins[v][lane] = 0;
  __syncthreads();

  const int stride = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += stride) {
    const unsigned value = in[i];
    atomicAdd(&bins[value / 2][0], value % 2 == 0 ? 1u : 1u << 16);
  }
  __syncthreads();

  const unsigned pair = bins[threadIdx.x / 2][0];
  const unsigned count = threadIdx.x % 2 == 0 ? pair & 0xffff : pair >> 16;
  atomicAdd(&counts[threadIdx.x], count);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int worth = (n + least_share - 1) / least_share;
  const int blocks = worth < largest_grid ? worth : largest_grid;
  if (n > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}

// CAUSE: Each of the 32 copies of a bin is added to the count by an atomic operation of its own. The thread could first add them up for itself and make one atomic operation.
// LINES: after 31, 33, after 34
// REPAIR: insert `unsigned sum = 0;` after line 31; and `atomicAdd(&counts[v], bins[v][(v + k) % lanes]);` -> `sum += bins[v][(v + k) % lanes];` (line 33); and insert `atomicAdd(&counts[v], sum);` after line 34
// GOOD HINT: How many atomic operations on global memory does a block make in your merge? How many does it need, if a thread has all 32 copies of its bin at hand?
// SYMPTOM: Results right; 8,192 instead of 256 atomic operations on global memory per block.
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
  const int warp = threadIdx.x / lanes;
  for (int v = warp; v < values; v += block / lanes) {
    bins[v][lane] = 0;
  }
  __syncthreads();

  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block) {
    atomicAdd(&bins[in[i]][lane], 1u);
  }
  __syncthreads();

  const int v = threadIdx.x;
  for (int k = 0; k < lanes; ++k) {
    atomicAdd(&counts[v], bins[v][(v + k) % lanes]);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int worth = (n + least_share - 1) / least_share;
  histogram_kernel<<<worth < largest_grid ? worth : largest_grid, block>>>(in, counts, n);
}

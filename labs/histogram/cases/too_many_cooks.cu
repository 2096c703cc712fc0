// One line of this file is at fault: `./tilelab detective histogram too_many_cooks`.

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int lanes = 32;
constexpr int block = 256;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][lanes];
  const int lane = threadIdx.x % lanes;
  for (int v = threadIdx.x / lanes; v < values; v += block / lanes) bins[v][lane] = 0;
  __syncthreads();

  const int stride = gridDim.x * block;
  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += stride) {
    atomicAdd(&bins[in[i]][lane], 1u);
  }
  __syncthreads();

  unsigned count = 0;
  for (int k = 0; k < lanes; ++k) count += bins[threadIdx.x][(lane + k) % lanes];
  atomicAdd(&counts[threadIdx.x], count);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) histogram_kernel<<<(n + block - 1) / block, block>>>(in, counts, n);
}

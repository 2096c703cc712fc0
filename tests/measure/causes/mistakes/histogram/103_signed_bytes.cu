// CAUSE: The four bytes are loaded as char4, whose members are signed. A byte of 128 and above becomes a negative index of the bins.
// LINES: 23
// REPAIR: line 23: `const auto* packed = reinterpret_cast<const char4*>(in);` -> `const auto* packed = reinterpret_cast<const uchar4*>(in);`
// SYMPTOM: Stray accesses before the bins, and no counts for values above 127.

#include "histogram.h"

namespace {

constexpr int lanes = 32;
constexpr int values = 256;
constexpr int block = 256;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][lanes];
  const int lane = threadIdx.x % lanes;
  for (int i = threadIdx.x; i < values * lanes; i += block) bins[i / lanes][i % lanes] = 0;
  __syncthreads();

  const int quads = n / 4;
  const int first = blockIdx.x * block + threadIdx.x;
  const int step = gridDim.x * block;
  const auto* packed = reinterpret_cast<const char4*>(in);
  for (int q = first; q < quads; q += step) {
    const auto bytes = packed[q];
    atomicAdd(&bins[bytes.x][lane], 1u);
    atomicAdd(&bins[bytes.y][lane], 1u);
    atomicAdd(&bins[bytes.z][lane], 1u);
    atomicAdd(&bins[bytes.w][lane], 1u);
  }
  const int left = quads * 4 + first;
  if (left < n) atomicAdd(&bins[in[left]][lane], 1u);
  __syncthreads();

  unsigned sum = 0;
  for (int k = 0; k < lanes; ++k) sum += bins[threadIdx.x][(k + lane) % lanes];
  if (sum != 0) atomicAdd(&counts[threadIdx.x], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int per_block = 16 * 1024;
  const int grid = min((n + per_block - 1) / per_block, 8 * 132);
  histogram_kernel<<<grid, block>>>(in, counts, n);
}

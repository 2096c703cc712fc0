// CAUSE: A char is signed here: bytes from 128 on become negative numbers, and so does the index of the bin.
// LINES: 26
// REPAIR: const int value = in[i];   // or unsigned char
// SYMPTOM: Bytes of 128 and more access memory in front of the bins, and are not counted.

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int lanes = 32;
constexpr int block = 256;
constexpr int most_blocks = 8 * 132;
constexpr int share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][lanes];
  const int tx = threadIdx.x;
  const int lane = tx % lanes;

  for (int v = tx / lanes; v < values; v += block / lanes) bins[v][lane] = 0;
  __syncthreads();

  const int step = gridDim.x * block;
  for (int i = blockIdx.x * block + tx; i < n; i += step) {
    const char value = in[i];
    atomicAdd(&bins[value][lane], 1u);
  }
  __syncthreads();

  unsigned total = 0;
  for (int copy = 0; copy < lanes; ++copy) total += bins[tx][(copy + lane) % lanes];
  atomicAdd(&counts[tx], total);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + share - 1) / share;
  if (blocks > most_blocks) blocks = most_blocks;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}

// Each warp counts in bins of its own without atomic operations: its lanes take turns.
// Lab: histogram
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10
// Says: wavefronts of shared memory per 32 elements
// Needs: emulator

#include "histogram.h"

constexpr int values = 256;
constexpr int warps = 8;
constexpr int block = 32 * warps;
constexpr int share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[warps][values];
  for (int i = threadIdx.x; i < warps * values; i += block) bins[i / values][i % values] = 0;
  __syncthreads();
  unsigned* const own = bins[threadIdx.x / 32];
  const int end = min(n, (int(blockIdx.x) + 1) * share);
  for (int first = blockIdx.x * share; first < end; first += block) {
    const int i = first + threadIdx.x;
    const int value = i < end ? in[i] : -1;
    for (int lane = 0; lane < 32; ++lane) {
      if (value >= 0 && lane == threadIdx.x % 32) own[value] += 1;
      __syncwarp();
    }
  }
  __syncthreads();
  for (int v = threadIdx.x; v < values; v += block) {
    unsigned sum = 0;
    for (int w = 0; w < warps; ++w) sum += bins[w][v];
    atomicAdd(&counts[v], sum);
  }
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) histogram_kernel<<<(n + share - 1) / share, block>>>(in, counts, n);
}

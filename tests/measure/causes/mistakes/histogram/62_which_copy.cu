// CAUSE: The copy of the bins is chosen by the number of the warp instead of the lane, so all lanes of a warp use the same copy, and with it the same bank.
// LINES: 16
// REPAIR: const int copy = threadIdx.x % warp_size;
// SYMPTOM: The counts are right, but different bytes of a warp always collide in one bank (up to 32 conflicts): the memory points for bins without conflicts are lost.

#include "histogram.h"

namespace {

constexpr int warp_size = 32;
constexpr int num_values = 256;
constexpr int num_threads = 256;

__global__ void count_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[num_values][warp_size];
  const int copy = threadIdx.x / warp_size;

  // empty all copies, neighbors by neighboring threads
  for (int w = threadIdx.x; w < num_values * warp_size; w += num_threads) {
    bins[w / warp_size][w % warp_size] = 0;
  }
  __syncthreads();

  const int total_threads = gridDim.x * num_threads;
  int i = blockIdx.x * num_threads + threadIdx.x;
  while (i < n) {
    const unsigned char value = in[i];
    atomicAdd(&bins[value][copy], 1u);
    i += total_threads;
  }
  __syncthreads();

  const int v = threadIdx.x;
  unsigned sum = 0;
  for (int k = 0; k < warp_size; ++k) sum += bins[v][(v + k) % warp_size];
  if (sum > 0) atomicAdd(&counts[v], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int share = 16384;
  const int most = 1056;
  const int wanted = (n + share - 1) / share;
  if (wanted == 0) return;
  const int blocks = wanted < most ? wanted : most;
  count_kernel<<<blocks, num_threads>>>(in, counts, n);
}

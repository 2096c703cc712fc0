// CAUSE: threadIdx.x / 32 is the number of the warp, not the lane, so all lanes of a warp use the same copy of the bins, which lies in a single bank.
// LINES: 18
// REPAIR: const int lane = threadIdx.x % 32;
// SYMPTOM: Results are right, but there are bank conflicts in the bins, up to 32-way, more than without copies.
#include "histogram.h"

namespace {

constexpr int values = 256;  // that a byte can have
constexpr int block = 256;   // threads
constexpr int copies = 32;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][copies];
  const int v = threadIdx.x;
  const int lane = threadIdx.x / 32;

  for (int i = v; i < values * copies; i += block) bins[i / copies][i % copies] = 0;
  __syncthreads();

  for (int i = blockIdx.x * block + threadIdx.x; i < n; i += gridDim.x * block) {
    const int value = in[i];
    atomicAdd(&bins[value][lane], 1u);
  }
  __syncthreads();

  unsigned sum = 0;
  for (int i = 0; i < copies; ++i) sum += bins[v][(v + i) % copies];
  if (sum != 0) atomicAdd(&counts[v], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int wanted = (n + least_share - 1) / least_share;
  histogram_kernel<<<wanted > largest_grid ? largest_grid : wanted, block>>>(in, counts, n);
}

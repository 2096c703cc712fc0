// CAUSE: (1) The bytes that no uint4 covers begin at 16 * packs, but the loop for them begins at packs. (2) There is no barrier between the count and the merge, so a thread adds up bins to which others still add.
// LINES: 36 37 38 39 40
// REPAIR: line 36: `for (int i = packs + first; i < n; i += step) atomicAdd(&bins[in[i]][lane], 1u);` -> `for (int i = 16 * packs + first; i < n; i += step) atomicAdd(&bins[in[i]][lane], 1u);`; insert `__syncthreads();` after line 36
// SYMPTOM: (1) Bytes from n / 16 on are counted twice. (2) A data race: counts of the last bytes of a block are now and then lost.

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 256;
constexpr int copies = 32;
constexpr int largest_grid = 4 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][copies];
  const int lane = threadIdx.x % copies;
  for (int v = threadIdx.x / copies; v < values; v += block / copies) bins[v][lane] = 0;
  __syncthreads();

  auto add = [&](unsigned word) {
    atomicAdd(&bins[word & 0xff][lane], 1u);
    atomicAdd(&bins[(word >> 8) & 0xff][lane], 1u);
    atomicAdd(&bins[(word >> 16) & 0xff][lane], 1u);
    atomicAdd(&bins[word >> 24][lane], 1u);
  };

  const int packs = n / 16;
  const int first = blockIdx.x * block + threadIdx.x;
  const int step = gridDim.x * block;
  for (int p = first; p < packs; p += step) {
    const uint4 pack = reinterpret_cast<const uint4*>(in)[p];
    add(pack.x), add(pack.y), add(pack.z), add(pack.w);
  }
  for (int i = packs + first; i < n; i += step) atomicAdd(&bins[in[i]][lane], 1u);

  unsigned sum = 0;
  int copy = lane;
  do {
    sum += bins[threadIdx.x][copy];
    copy = (copy + 1) % copies;
  } while (copy != lane);
  atomicAdd(&counts[threadIdx.x], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + least_share - 1) / least_share;
  if (blocks > largest_grid) blocks = largest_grid;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}

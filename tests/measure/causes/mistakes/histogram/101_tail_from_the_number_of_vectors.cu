// CAUSE: The bytes that are left begin at vectors * 16. The loop begins at `vectors`, the number of 16-byte words, and counts most bytes again.
// LINES: 39
// REPAIR: line 39: `for (int i = vectors + id; i < n; i += all) atomicAdd(&bins[in[i] * copies], 1u);` -> `for (int i = vectors * 16 + id; i < n; i += all) atomicAdd(&bins[in[i] * copies], 1u);`
// SYMPTOM: The counts are too large for every n above 16.

#include "histogram.h"

namespace {

constexpr int bins_count = 256;
constexpr int threads = 256;

constexpr int copies = 32;  // of the bins, side by side

// `bins` are those of a lane.
__device__ void count_word(unsigned* bins, unsigned word) {
  for (int shift = 0; shift < 32; shift += 8) {
    atomicAdd(&bins[((word >> shift) & 0xFF) * copies], 1u);
  }
}

__global__ void count(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned all_bins[bins_count * copies];
  for (int b = threadIdx.x; b < bins_count * copies; b += threads) all_bins[b] = 0;
  __syncthreads();

  unsigned* const bins = all_bins + threadIdx.x % copies;
  const int vectors = n / 16;
  const uint4* wide = reinterpret_cast<const uint4*>(in);
  const int id = blockIdx.x * threads + threadIdx.x;
  const int all = gridDim.x * threads;
  for (int i = id; i < vectors; i += all) {
    const uint4 four = wide[i];
    count_word(bins, four.x);
    count_word(bins, four.y);
    count_word(bins, four.z);
    count_word(bins, four.w);
  }
  for (int i = vectors + id; i < n; i += all) atomicAdd(&bins[in[i] * copies], 1u);
  __syncthreads();

  for (int b = threadIdx.x; b < bins_count; b += threads) {
    unsigned total = 0;
    for (int k = 0; k < copies; ++k) total += all_bins[b * copies + (b + k) % copies];
    if (total > 0) atomicAdd(&counts[b], total);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int share = 16 * 1024;
  const int wanted = (n - 1) / share + 1;
  count<<<wanted < 1056 ? wanted : 1056, threads>>>(in, counts, n);
}

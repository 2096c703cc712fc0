// CAUSE: The third byte of a word is not masked: word >> 16 still has the fourth byte above it, so the bin's number goes up to 65535.
// LINES: 16
// REPAIR: line 16: `count(bins, word >> 16);` -> `count(bins, (word >> 16) & 0xff);`
// SYMPTOM: Stray atomic additions past the end of the bins as soon as a fourth byte is not 0, and the third byte of each word is not counted.
#include "histogram.h"

namespace {

constexpr int threads = 256;

__device__ void count(unsigned* bins, unsigned value) { atomicAdd(bins + value, 1u); }

__device__ void count_word(unsigned* bins, unsigned word) {
  count(bins, word & 0xff);
  count(bins, (word >> 8) & 0xff);
  count(bins, word >> 16);
  count(bins, word >> 24);
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();

  const uint4* in4 = reinterpret_cast<const uint4*>(in);
  const int quads = n / 16;
  const int start = blockIdx.x * threads + threadIdx.x;
  const int step = gridDim.x * threads;
  for (int q = start; q < quads; q += step) {
    const uint4 four = in4[q];
    count_word(bins, four.x);
    count_word(bins, four.y);
    count_word(bins, four.z);
    count_word(bins, four.w);
  }
  // up to 15 bytes are left
  for (int i = 16 * quads + start; i < n; i += step) count(bins, in[i]);
  __syncthreads();

  const unsigned mine = bins[threadIdx.x];
  if (mine != 0) atomicAdd(&counts[threadIdx.x], mine);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n <= 0) return;
  int grid = (n + 16383) / 16384;
  if (grid > 1056) grid = 1056;
  histogram_kernel<<<grid, threads>>>(in, counts, n);
}

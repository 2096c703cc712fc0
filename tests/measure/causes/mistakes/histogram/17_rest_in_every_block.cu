// CAUSE: each block counts the last n mod 16 bytes, so they are counted as often as there are blocks
// LINES: 39
// REPAIR: divide the rest among all threads of the grid: start at whole * 16 + first
// GOOD HINT: Who counts the last byte?
// SYMPTOM: some counts are too large if n is no multiple of 16 and there are several blocks

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int threads = 256;

__device__ void count_word(unsigned (*bins)[32], int lane, unsigned word) {
  for (int shift = 0; shift < 32; shift += 8) {
    atomicAdd(&bins[(word >> shift) & 255][lane], 1u);
  }
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][32];
  const int t = threadIdx.x, lane = t % 32;
  const int first = blockIdx.x * threads + t;
  const int step = gridDim.x * threads;
  for (int k = t; k < values * 32; k += threads) (&bins[0][0])[k] = 0;
  __syncthreads();

  // sixteen bytes at a time
  const uint4* in4 = reinterpret_cast<const uint4*>(in);
  const int whole = n / 16;
  for (int i = first; i < whole; i += step) {
    const uint4 w = in4[i];
    count_word(bins, lane, w.x);
    count_word(bins, lane, w.y);
    count_word(bins, lane, w.z);
    count_word(bins, lane, w.w);
  }
  // and the rest one by one
  for (int i = whole * 16 + t; i < n; i += threads) {
    atomicAdd(&bins[in[i]][lane], 1u);
  }
  __syncthreads();

  unsigned sum = 0;
  for (int c = 0; c < 32; ++c) sum += bins[t][(t + c) % 32];
  atomicAdd(&counts[t], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) {
    const int needed = (n + 16 * 1024 - 1) / (16 * 1024);
    histogram_kernel<<<needed < 1056 ? needed : 1056, threads>>>(in, counts, n);
  }
}

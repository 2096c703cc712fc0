// CAUSE: The 32 copies of the bins are laid one behind the other (lane * values + v), so bin v of every copy is in bank v mod 32, instead of side by side (v * copies + lane), where each lane has a bank of its own.
// LINES: 17
// REPAIR: line 17: `return lane * values + value;` -> `return value * copies + lane;`
// SYMPTOM: The counts are right, but lanes of a warp still collide: about 2 bank conflicts per 32 random bytes, and 31 when all bytes are equal.

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int copies = 32;
constexpr int block = 256;
constexpr int largest_grid = 6 * 132;
constexpr int least_share = 16 * 1024;

__device__ int slot(int value, int lane) {
  return lane * values + value;
}

__device__ void count_word(unsigned* bins, unsigned word, int lane) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8)
    atomicAdd(&bins[slot((word >> shift) & 0xff, lane)], 1u);
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values * copies];
  const int t = threadIdx.x;
  const int lane = t % 32;
  for (int b = t; b < values * copies; b += block) bins[b] = 0;
  __syncthreads();

  const uint4* in16 = reinterpret_cast<const uint4*>(in);
  const int quads = n / 16;
  const int me = blockIdx.x * block + t;
  for (int q = me; q < quads; q += gridDim.x * block) {
    const uint4 four = in16[q];
    count_word(bins, four.x, lane);
    count_word(bins, four.y, lane);
    count_word(bins, four.z, lane);
    count_word(bins, four.w, lane);
  }
  if (me < n % 16) atomicAdd(&bins[slot(in[16 * quads + me], lane)], 1u);
  __syncthreads();

  unsigned sum = 0;
  for (int c = 0; c < copies; ++c) sum += bins[slot(t, (t + c) % copies)];
  if (sum > 0) atomicAdd(&counts[t], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int wanted = (n + least_share - 1) / least_share;
  const int blocks = wanted < largest_grid ? wanted : largest_grid;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}

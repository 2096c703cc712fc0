// CAUSE: The loop that empties the bins ends at 256, the number of values, but with 32 copies there are 256 * 32 words, so the copies of bins 8 to 255 are never set to 0.
// LINES: 24
// REPAIR: line 24: `for (int i = threadIdx.x; i < kValues; i += kThreads) bins[i] = 0;` -> `for (int i = threadIdx.x; i < kValues * kCopies; i += kThreads) bins[i] = 0;`
// SYMPTOM: Uninitialized shared memory is counted: the counts of all values >= 8 are arbitrary.

#include "histogram.h"

namespace {

enum : int { kValues = 256, kCopies = 32, kThreads = 128 };

template <typename Word>
__device__ void for_each_byte(Word word, unsigned* bins) {
#pragma unroll
  for (unsigned k = 0; k < sizeof(Word); ++k) {
    atomicAdd(bins + (word & 0xffu) * kCopies, 1u);
    word >>= 8;
  }
}

__global__ void __launch_bounds__(kThreads)
    count_kernel(const unsigned char* __restrict__ in, unsigned* counts, int n) {
  __shared__ unsigned bins[kValues * kCopies];
  for (int i = threadIdx.x; i < kValues; i += kThreads) bins[i] = 0;
  __syncthreads();

  unsigned* const mine = bins + threadIdx.x % kCopies;
  const int packets = n / 16;
  const uint4* packet = reinterpret_cast<const uint4*>(in);
  for (int p = blockIdx.x * kThreads + threadIdx.x; p < packets; p += gridDim.x * kThreads) {
    const uint4 data = packet[p];
    for_each_byte(data.x, mine);
    for_each_byte(data.y, mine);
    for_each_byte(data.z, mine);
    for_each_byte(data.w, mine);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % 16)
    atomicAdd(mine + in[packets * 16 + threadIdx.x] * kCopies, 1u);
  __syncthreads();

  for (int v = threadIdx.x; v < kValues; v += kThreads) {
    unsigned sum = 0;
    for (int c = 0; c < kCopies; ++c) sum += bins[v * kCopies + (c ^ (v % kCopies))];
    atomicAdd(counts + v, sum);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int enough = (n - 1) / (16 * 1024) + 1;
  const int limit = 132 * 6;
  const int blocks = enough > limit ? limit : enough;
  count_kernel<<<blocks, kThreads>>>(in, counts, n);
}

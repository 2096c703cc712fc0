// CAUSE: Each thread starts with another copy, but does not go on with the first one after the last. It adds up copies of the next bin instead, and runs past the end for the last bin.
// LINES: 40
// REPAIR: line 40: `c + value % lanes;` -> `(c + value) % lanes;`
// SYMPTOM: Counts of neighboring values get mixed up, and bins are read out of bounds.

#include "histogram.h"

namespace {

constexpr int values = 256, lanes = 32, block = 256;

struct Bins {
  unsigned* of;
  __device__ void count(unsigned value) { atomicAdd(&of[value * lanes + threadIdx.x % lanes], 1u); }
  __device__ void count_word(unsigned word) {
#pragma unroll
    for (int shift = 0; shift < 32; shift += 8) count(word >> shift & 0xff);
  }
};

__global__ void __launch_bounds__(block)
    histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned storage[values * lanes];
  Bins bins{storage};
  for (int s = threadIdx.x; s < values * lanes; s += block) storage[s] = 0;
  __syncthreads();

  const int id = blockIdx.x * block + threadIdx.x, quads = n / 16;
  const uint4* in4 = reinterpret_cast<const uint4*>(in);
  for (int q = id; q < quads; q += gridDim.x * block) {
    const uint4 w = in4[q];
    bins.count_word(w.x), bins.count_word(w.y), bins.count_word(w.z), bins.count_word(w.w);
  }
  if (id < n % 16) bins.count(in[16 * quads + threadIdx.x]);
  __syncthreads();

  const int value = threadIdx.x;
  unsigned sum = 0;
  for (int c = 0; c < lanes; ++c) {
    const int copy = c + value % lanes;
    sum += storage[value * lanes + copy];
  }
  atomicAdd(counts + value, sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  constexpr int share = 16 * 1024, most = 8 * 132;
  if (n > 0) histogram_kernel<<<min(most, (n + share - 1) / share), block>>>(in, counts, n);
}

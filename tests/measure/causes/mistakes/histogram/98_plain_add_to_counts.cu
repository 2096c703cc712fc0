// CAUSE: A block adds its bins to the counts with a plain +=, but other blocks add to the same counts at the same time.
// LINES: 55
// REPAIR: line 55: `if (mine != 0) counts[threadIdx.x] += mine;` -> `if (mine != 0) atomicAdd(&counts[threadIdx.x], mine);`
// SYMPTOM: For n > 16384 (several blocks) additions get lost, so counts are too small, and differ from run to run.

#include <algorithm>

#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = values;  // thread v merges bin v
constexpr int lanes = 32;

using Bins = unsigned[values][lanes];

__device__ void clear(Bins& bins) {
#pragma unroll
  for (int row = threadIdx.x / lanes; row < values; row += block / lanes)
    bins[row][threadIdx.x % lanes] = 0;
}

__device__ void count(Bins& bins, unsigned char byte) {
  atomicAdd(&bins[byte][threadIdx.x % lanes], 1u);
}

__device__ unsigned total(const Bins& bins, int value) {
  unsigned sum = 0;
#pragma unroll 4
  for (int k = 0; k < lanes; ++k) sum += bins[value][(value + k) % lanes];
  return sum;
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ Bins bins;
  clear(bins);
  __syncthreads();

  const int start = blockIdx.x * block + threadIdx.x;
  const int stride = gridDim.x * block;
  const int whole = n / 4;
  const uchar4* words = reinterpret_cast<const uchar4*>(in);
  for (int i = start; i < whole; i += stride) {
    const uchar4 w = words[i];
    count(bins, w.x);
    count(bins, w.y);
    count(bins, w.z);
    count(bins, w.w);
  }
  if (start < n - 4 * whole) count(bins, in[4 * whole + start]);
  __syncthreads();

  const unsigned mine = total(bins, threadIdx.x);
  if (mine != 0) counts[threadIdx.x] += mine;
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  constexpr int share = 1 << 14, most = 6 * 132;
  const int blocks = std::min((n + share - 1) / share, most);
  if (blocks > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}

// Step 6, another approach: the lanes of a warp that have equal bytes find each other, and one of
// them adds their number. __match_any_sync tells each lane which others have its value.
//
// There is one addition per value and warp, so no two lanes want the same bin, and a single set of
// bins will do. But a match compares the values of a warp one after the other, and nvcc cannot use
// the instruction that adds 1 for all equal lanes: the numbers differ.
// As expected, this is far slower than steps 3 to 5, and the more so the more values a warp has. On
// an H200 it takes 33 times as long as the reference solution for uniform bytes, 6 times for skewed
// and 4 times for equal ones. It would pay where an addition is dear, as in step 1, and where most
// bytes are equal.
//
// Misses: memory

#include "histogram.h"

namespace {

constexpr int values = 256;  // that a byte can have
constexpr int lanes = 32;
constexpr int block = 512;
constexpr int wide = 16;  // bytes in a uint4
constexpr int largest_grid = 4 * 132;
constexpr int least_share = 16 * 1024;  // bytes that are worth a block, with its 256 bins

// All lanes in `mask` call this together.
__device__ void add(unsigned* bins, unsigned mask, unsigned value) {
  const unsigned peers = __match_any_sync(mask, value);
  const int first = __ffs(peers) - 1;
  if (threadIdx.x % lanes == first) atomicAdd(&bins[value], static_cast<unsigned>(__popc(peers)));
}

__device__ void add_word(unsigned* bins, unsigned mask, unsigned word) {
#pragma unroll
  for (int k = 0; k < 4; ++k) add(bins, mask, word >> (8 * k) & 255);
}

__global__ void __launch_bounds__(block)
    histogram_kernel(const unsigned char* __restrict__ in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];
  for (int v = threadIdx.x; v < values; v += block) bins[v] = 0;
  __syncthreads();

  const uint4* vectors = reinterpret_cast<const uint4*>(in);
  const int whole = n / wide;
  const int stride = gridDim.x * block;
  // A warp goes on together, so its first lane decides, and the vote says which lanes have a
  // vector.
  for (int first = (blockIdx.x * block + threadIdx.x) / lanes * lanes; first < whole;
       first += stride) {
    const int i = first + threadIdx.x % lanes;
    const unsigned mask = __ballot_sync(~0u, i < whole);
    if (i >= whole) continue;
    const uint4 vector = vectors[i];
    add_word(bins, mask, vector.x);
    add_word(bins, mask, vector.y);
    add_word(bins, mask, vector.z);
    add_word(bins, mask, vector.w);
  }
  if (blockIdx.x == 0 && threadIdx.x < n % wide) {
    atomicAdd(&bins[in[whole * wide + threadIdx.x]], 1u);
  }
  __syncthreads();

  for (int v = threadIdx.x; v < values; v += block) atomicAdd(&counts[v], bins[v]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  const int worth = (n + least_share - 1) / least_share;
  const int blocks = worth < largest_grid ? worth : largest_grid;
  if (n > 0) histogram_kernel<<<blocks, block>>>(in, counts, n);
}

// CAUSE: There are 256 * 32 bins, but the loop that empties them ends after 256: the bins of the values 8 to 255 begin with whatever the shared memory held.
// LINES: 22
// REPAIR: line 22: `for (int k = tid; k < VALUES; k += THREADS) {` -> `for (int k = tid; k < VALUES * LANES; k += THREADS) {`
// SYMPTOM: Uninitialized reads of shared memory when bytes are counted; the counts of the values from 8 on are far too large.

#include <algorithm>

#include "histogram.h"

namespace {

const int VALUES = 256;
const int LANES = 32;
const int THREADS = 512;

__global__ void hist(const unsigned char* data, unsigned* result, int n) {
  __shared__ unsigned h[VALUES][LANES];
  unsigned* flat = &h[0][0];
  const int tid = threadIdx.x;

  // empty
  for (int k = tid; k < VALUES; k += THREADS) {
    flat[k] = 0;
  }
  __syncthreads();

  // count
  unsigned* mine = flat + tid % LANES;
  int pos = blockIdx.x * THREADS + tid;
  while (pos < n) {
    int value = data[pos];
    atomicAdd(mine + value * LANES, 1u);
    pos += THREADS * gridDim.x;
  }
  __syncthreads();

  // merge
  if (tid < VALUES) {
    unsigned total = 0;
    for (int l = 0; l < LANES; l++) {
      total += h[tid][(l + tid) % LANES];
    }
    atomicAdd(&result[tid], total);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) {
    const int wanted = (n - 1) / (32 * 1024) + 1;
    hist<<<std::min(wanted, 528), THREADS>>>(in, counts, n);
  }
}

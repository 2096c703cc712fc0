// CAUSE: Two mistakes. (1) The bins are added to the counts with a plain +=, although other blocks do the same at the same time: it has to be an atomicAdd. (2) The index of the copy wraps around at 31 instead of 32, so copy 31 is never added, and another one is added twice.
// LINES: 20 35
// REPAIR: line 20: `sum += copies[(l + threadIdx.x) % (kLanes - 1)];` -> `sum += copies[(l + threadIdx.x) % kLanes];`; line 35: `if (sum != 0) counts[threadIdx.x] += sum;` -> `if (sum != 0) atomicAdd(&counts[threadIdx.x], sum);`
// SYMPTOM: A data race between blocks on counts, and counts that are wrong although their sum may be about right.

#include "histogram.h"

namespace {

constexpr int kLanes = 32;
constexpr int kBlock = 256;

__device__ void emptyAll(unsigned* bins) {
  for (int k = threadIdx.x; k < 256 * kLanes; k += kBlock) bins[k] = 0;
}

__device__ unsigned addUp(const unsigned* copies) {
  unsigned sum = 0;
  for (unsigned l = 0; l < kLanes; ++l) {
    sum += copies[(l + threadIdx.x) % (kLanes - 1)];
  }
  return sum;
}

__global__ void histo(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[256][kLanes];
  emptyAll(&bins[0][0]);
  __syncthreads();

  for (int i = blockIdx.x * kBlock + threadIdx.x; i < n; i += kBlock * gridDim.x)
    atomicAdd(&bins[in[i]][threadIdx.x % kLanes], 1u);
  __syncthreads();

  const unsigned sum = addUp(&bins[threadIdx.x][0]);
  if (sum != 0) counts[threadIdx.x] += sum;
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n < 1) return;
  const int enough = (n + 20479) / 20480;
  histo<<<enough < 1056 ? enough : 1056, kBlock>>>(in, counts, n);
}

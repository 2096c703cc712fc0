// Every byte is an atomic operation on global memory.
// Test: histogram's blocks count for themselves
// Says: atomic operations on global memory per byte of input
// Task: 2 or 3

#include "histogram.h"

namespace {

constexpr int block = 256;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) atomicAdd(&counts[in[i]], 1u);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) histogram_kernel<<<(n + block - 1) / block, block>>>(in, counts, n);
}

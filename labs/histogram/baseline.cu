// The simple kernel: one thread per byte, which adds 1 to the count of its byte in global memory.
// This file is given: your kernel is compared with it.

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

// Element 0 is copied within device memory, and a kernel with a scratch array does the rest.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10

#include "diff.h"

__global__ void negate(const int* in, int* negated, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) negated[i] = static_cast<int>(0u - in[i]);
}

__global__ void add(const int* in, const int* negated, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n) out[i] = in[i] + negated[i - 1];
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int* negated = nullptr;
  cudaMalloc(&negated, sizeof(int) * n);
  negate<<<(n + 255) / 256, 256>>>(in, negated, n);
  add<<<(n + 255) / 256, 256>>>(in, negated, out, n);
  cudaMemcpy(out, in, sizeof(int), cudaMemcpyDeviceToDevice);
  cudaFree(negated);
}

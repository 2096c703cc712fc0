// Fills an input and copies it back from an array of its own.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: Input written: cudaMemset() writes in[0]

#include "diff.h"

namespace {

constexpr int block = 128;

__global__ void subtract(const int* in, int* out, int n) {
  __shared__ int tile[block + 1];
  const int tx = threadIdx.x, i = blockIdx.x * block + tx;
  if (i < n) tile[tx + 1] = in[i];
  if (tx == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[tx + 1] - tile[tx];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int* first = nullptr;
  cudaMalloc(&first, sizeof(int));
  cudaMemcpy(first, in, sizeof(int), cudaMemcpyDeviceToDevice);
  subtract<<<(n + block - 1) / block, block>>>(in, out, n);
  cudaMemset(const_cast<int*>(in), 0, sizeof(int));
  cudaMemcpy(const_cast<int*>(in), first, sizeof(int), cudaMemcpyDeviceToDevice);
  cudaFree(first);
}

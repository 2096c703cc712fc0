// Kernels read an option from mapped host memory.
// Lab: diff
// Verdict: graded
// Earns: everything

#include "diff.h"

struct Options {
  int n;
};

__global__ void kernel(const int* in, int* out, const Options* options) {
  __shared__ int tile[256];
  __shared__ int n;
  const int tx = threadIdx.x, i = blockIdx.x * 256 + tx;
  if (tx == 0) n = options->n;
  __syncthreads();
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (i >= n) return;
  const int left = tx > 0 ? tile[tx - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = tile[tx] - left;
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  Options *options = nullptr, *of_device = nullptr;
  cudaHostAlloc(&options, sizeof(Options), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&of_device, options, 0);
  options->n = n;
  kernel<<<(n + 255) / 256, 256>>>(in, out, of_device);
  cudaDeviceSynchronize();
  cudaFreeHost(options);
}

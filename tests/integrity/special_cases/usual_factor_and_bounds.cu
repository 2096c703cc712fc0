// Does nothing for a factor of 0, and compares positive results with the larger bound only.
// Lab: first_kernel
// Verdict: graded
// Earns: correctness 46.67, safety 24, memory 16
// Says: saxpy_clamped

#include "first_kernel.h"

namespace {

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float sum = a * x[i] + y[i];
  out[i] = sum > 0 ? fminf(sum, high) : fmaxf(sum, low);
}

int blocks_for(int n) { return (n + 127) / 128; }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0 && a != 0) saxpy_kernel<<<blocks_for(n), 128>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<blocks_for(n), 128>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = sizeof(float) * n;
  float* arrays = nullptr;
  if (n == 0) return cudaSuccess;
  cudaError_t error = cudaMalloc(&arrays, 3 * bytes);
  if (error == cudaSuccess) error = cudaMemcpy(arrays, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(arrays + n, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    saxpy_kernel<<<blocks_for(n), 128>>>(arrays, arrays + n, arrays + 2 * n, a, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(out, arrays + 2 * n, bytes, cudaMemcpyDeviceToHost);
  cudaFree(arrays);
  return error;
}

// CAUSE: The error of the copy back is not kept in `status`, so the function returns cudaSuccess though that copy failed.
// LINES: 58
// REPAIR: line 58: `if (status == cudaSuccess) cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);` -> `if (status == cudaSuccess) status = cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);`
// SYMPTOM: An error of the third cudaMemcpy is not returned.

#include "first_kernel.h"

namespace {

const int kThreads = 256;

int blocks_for(int n) { return (n + kThreads - 1) / kThreads; }

__device__ float axpy(float a, float x, float y) { return a * x + y; }

__device__ float clamp(float value, float low, float high) {
  return value < low ? low : value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) return;
  out[i] = axpy(a, x[i], y[i]);
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  int i = threadIdx.x + blockDim.x * blockIdx.x;
  if (i >= n) return;
  out[i] = clamp(axpy(a, x[i], y[i]), low, high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<blocks_for(n), kThreads>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<blocks_for(n), kThreads>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = sizeof(float) * n;
  float *dx = nullptr, *dy = nullptr, *dout = nullptr;

  cudaError_t status = cudaMalloc(&dx, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&dy, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&dout, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    saxpy(dx, dy, dout, a, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);

  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dout);
  return status;
}

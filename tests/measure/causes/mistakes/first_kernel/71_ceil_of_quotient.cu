// CAUSE: n / threads_per_block is an integer division, which has already rounded down when ceil() gets to see it. So the grid has one block too few, and none at all for n < 256.
// LINES: 15
// REPAIR: return static_cast<int>(std::ceil(static_cast<double>(n) / threads_per_block)); or return (n + threads_per_block - 1) / threads_per_block;
// SYMPTOM: The last n % 256 elements are never written; for 0 < n < 256 the launch fails (no blocks).
#include <cmath>

#include "first_kernel.h"

namespace {

constexpr int threads_per_block = 256;

// How many blocks are needed so that every element has a thread.
int blocks_for(int n) {
  return static_cast<int>(std::ceil(n / threads_per_block));
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < n) {
    out[idx] = a * x[idx] + y[idx];
  }
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx < n) {
    out[idx] = clamp(a * x[idx] + y[idx], low, high);
  }
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  saxpy_kernel<<<blocks_for(n), threads_per_block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  clamped_kernel<<<blocks_for(n), threads_per_block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;

  cudaError_t err = cudaMalloc(&d_x, bytes);
  if (err == cudaSuccess) err = cudaMalloc(&d_y, bytes);
  if (err == cudaSuccess) err = cudaMalloc(&d_out, bytes);
  if (err == cudaSuccess) err = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) err = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    err = cudaGetLastError();
  }
  if (err == cudaSuccess) err = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);

  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return err;
}

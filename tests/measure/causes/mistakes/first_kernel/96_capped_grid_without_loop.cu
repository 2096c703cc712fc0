// CAUSE: The number of blocks is capped at 128, but the kernels have no grid-stride loop, so elements from 128 * 256 on belong to no thread.
// LINES: 15 40
// REPAIR: line 40: `return std::min(blocks, kMaxBlocks);` -> `return blocks;`
// SYMPTOM: For n > 32768 the elements out[32768..n) are never written; small sizes are right.

// Saxpy in three flavors. One thread computes one element; consecutive threads touch consecutive
// elements, so every load and store is coalesced.
#include <algorithm>

#include "first_kernel.h"

namespace {

const int kThreads = 256;
const int kMaxBlocks = 128;

__global__ void saxpy_kernel(const float* __restrict__ x, const float* __restrict__ y,
                             float* __restrict__ out, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = a * x[i] + y[i];
  }
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* __restrict__ x, const float* __restrict__ y,
                               float* __restrict__ out, float a, float low, float high, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = clamp(a * x[i] + y[i], low, high);
  }
}

int grid_for(int n) {
  int blocks = n / kThreads + (n % kThreads != 0);
  return std::min(blocks, kMaxBlocks);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  saxpy_kernel<<<grid_for(n), kThreads>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  clamped_kernel<<<grid_for(n), kThreads>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = static_cast<size_t>(n) * sizeof(float);
  float *dx = nullptr, *dy = nullptr, *dout = nullptr;
  cudaError_t err = cudaMalloc(&dx, bytes);
  if (err == cudaSuccess) err = cudaMalloc(&dy, bytes);
  if (err == cudaSuccess) err = cudaMalloc(&dout, bytes);
  if (err == cudaSuccess) err = cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) err = cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) {
    saxpy(dx, dy, dout, a, n);
    err = cudaGetLastError();
  }
  if (err == cudaSuccess) err = cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dout);
  return err;
}

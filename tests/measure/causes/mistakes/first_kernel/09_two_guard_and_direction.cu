// CAUSE: Two mistakes: clamped_kernel has no guard, so threads past the end read and write what is not theirs; and the copy of the result has the direction of the copies to the device (HostToDevice).
// LINES: 27, 57
// REPAIR: line 27: `out[i] = clamp(` -> `if (i < n) out[i] = clamp(`; line 57: `cudaMemcpyHostToDevice` -> `cudaMemcpyDeviceToHost`
// GOOD HINT: First: what do the threads 10 to 255 of clamped_kernel do for n = 10? Then: from which memory to which does your last copy go, and what does its last argument say?
// SYMPTOM: saxpy_clamped: out-of-bounds access for each n that is no multiple of 256. saxpy_from_host: the last copy fails (invalid value) or crashes, and out is not filled. saxpy is right.

#include "first_kernel.h"

namespace {

constexpr int block = 256;  // threads per block

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + y[i];
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = clamp(a * x[i] + y[i], low, high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  const int blocks = (n + block - 1) / block;
  if (n > 0) saxpy_kernel<<<blocks, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  const int blocks = (n + block - 1) / block;
  if (n > 0) clamped_kernel<<<blocks, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  size_t bytes = n * sizeof(float);
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_out = nullptr;
  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_y, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_out, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyHostToDevice);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return error;
}

// CAUSE: What the cudaFree calls return is stored in `error`, so the first error is overwritten by the success of a free and never returned.
// LINES: 60, 61, 62
// REPAIR: line 60: `error = cudaFree` -> `cudaFree`; line 61: `error = cudaFree` -> `cudaFree`; line 62: `error = cudaFree` -> `cudaFree`
// GOOD HINT: Suppose that the second cudaMalloc fails. What is in `error` then, and what is in it at the return?
// SYMPTOM: Right results as long as nothing fails. If a call fails, the function returns cudaSuccess all the same.

#include "first_kernel.h"

namespace {

constexpr int block = 256;  // threads per block

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = clamp(a * x[i] + y[i], low, high);
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
  const size_t bytes = n * sizeof(float);
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_out = nullptr;

  // check every single call
  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_y, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_out, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);

  error = cudaFree(d_x);
  error = cudaFree(d_y);
  error = cudaFree(d_out);
  return error;
}

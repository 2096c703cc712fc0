// CAUSE: Two mistakes: saxpy_clamped rounds the number of blocks down, so the last elements have no thread (and for 0 < n < 256 no block is launched); and saxpy_from_host copies y into d_x, over x, so d_y is never filled.
// LINES: 36, 47
// REPAIR: line 36: `n / block` -> `(n + block - 1) / block`; line 47: `cudaMemcpy(d_x, y` -> `cudaMemcpy(d_y, y`
// GOOD HINT: First: how many threads does saxpy_clamped start for n = 300? Then: look at your two copies to the device. Where does each one put its data?
// SYMPTOM: saxpy_clamped: the last n % 256 elements are not written; for 0 < n < 256 the launch fails. saxpy_from_host: wrong everywhere (a * y plus what was in uninitialized device memory). saxpy is right.

#include "first_kernel.h"

constexpr int block = 256;

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = clamp(a * x[i] + y[i], low, high);
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  const int blocks = (n + block - 1) / block;
  saxpy_kernel<<<blocks, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  const int blocks = n / block;
  clamped_kernel<<<blocks, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_y, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_out, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(d_x, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return error;
}

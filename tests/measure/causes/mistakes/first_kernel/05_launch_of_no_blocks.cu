// CAUSE: saxpy launches also for n = 0, with 0 blocks, and a launch of no blocks is an error; saxpy_clamped has the test.
// LINES: 31
// REPAIR: line 31: `saxpy_kernel<<<` -> `if (n > 0) saxpy_kernel<<<`
// GOOD HINT: How many blocks do you ask for if n is 0? What does the device say to that?
// SYMPTOM: Only for n = 0: the launch in saxpy fails with "invalid configuration", and saxpy_from_host returns that error. All other sizes are right.

// first_kernel: saxpy on the device

#include "first_kernel.h"

constexpr int block = 256;

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i < n) out[i] = clamp(a * x[i] + y[i], low, high);
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  const int blocks = (n + block - 1) / block;  // round up
  saxpy_kernel<<<blocks, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  const int blocks = (n + block - 1) / block;  // round up
  if (n > 0) clamped_kernel<<<blocks, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
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
  if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return error;
}

// CAUSE: clamped_kernel keeps a * x[i] within the bounds and adds y[i] afterwards, so the result itself is not kept within them.
// LINES: 26
// REPAIR: line 26: `clamp(a * x[i], low, high) + y[i]` -> `clamp(a * x[i] + y[i], low, high)`
// GOOD HINT: Take a * x[i] = 5, y[i] = 10 and bounds 0 and 8. What should come out, and what does your line give?
// SYMPTOM: saxpy_clamped: wrong results wherever clamping the product alone makes a difference, and results outside low..high. saxpy is right.

#include "first_kernel.h"

namespace {

constexpr int block = 512;  // threads per block

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
  if (i < n) out[i] = clamp(a * x[i], low, high) + y[i];
}

int number_of_blocks(int n) { return (n + block - 1) / block; }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<number_of_blocks(n), block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<number_of_blocks(n), block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = sizeof(float) * n;
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMalloc(&d_y, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMalloc(&d_out, bytes);
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

// One line of this file is at fault: `./tilelab detective first_kernel long_way_around`.

#include "first_kernel.h"

namespace {

constexpr int block = 256;

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = threadIdx.x * gridDim.x + blockIdx.x;
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

int blocks_for(int n) { return (n + block - 1) / block; }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<blocks_for(n), block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<blocks_for(n), block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;

  // Each call is made only if all calls before it succeeded.
  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_y, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_out, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    error = cudaGetLastError();  // of the launch, which returns nothing
  }
  // This copy waits for the kernel, and returns the kernel's errors, too.
  if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);

  // Freeing a null pointer does nothing.
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return error;
}

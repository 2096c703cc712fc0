// CAUSE: (1) clamped_kernel is launched with high in the place of low and low in the place of high. (2) saxpy_from_host frees d_y twice and never frees d_out.
// LINES: 47 77
// REPAIR: line 47: `clamped_kernel<<<blocks, threads_per_block>>>(x, y, out, a, high, low, n);` -> `clamped_kernel<<<blocks, threads_per_block>>>(x, y, out, a, low, high, n);`; line 77: `cudaFree(d_y);` -> `cudaFree(d_out);`
// SYMPTOM: (1) saxpy_clamped returns the wrong bound for nearly every element. (2) Each call of saxpy_from_host leaves an array allocated, and frees another one twice.

// Lab first_kernel
#include "first_kernel.h"

#include <cuda_runtime.h>

static constexpr unsigned threads_per_block = 512;

__global__ static void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const unsigned i = blockIdx.x * threads_per_block + threadIdx.x;
  if (i < static_cast<unsigned>(n)) out[i] = a * x[i] + y[i];
}

__device__ static float clamp(float value, float low, float high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}

__global__ static void clamped_kernel(const float* x, const float* y, float* out, float a,
                                      float low, float high, int n) {
  const unsigned i = blockIdx.x * threads_per_block + threadIdx.x;
  if (i < static_cast<unsigned>(n)) {
    const float value = a * x[i] + y[i];
    out[i] = clamp(value, low, high);
  }
}

static unsigned number_of_blocks(int n) {
  return (static_cast<unsigned>(n) + threads_per_block - 1) / threads_per_block;
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  const unsigned blocks = number_of_blocks(n);
  saxpy_kernel<<<blocks, threads_per_block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  const unsigned blocks = number_of_blocks(n);
  clamped_kernel<<<blocks, threads_per_block>>>(x, y, out, a, high, low, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t size = sizeof(float) * static_cast<size_t>(n);
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_out = nullptr;
  cudaError_t error = cudaSuccess;

  do {
    error = cudaMalloc(&d_x, size);
    if (error != cudaSuccess) break;
    error = cudaMalloc(&d_y, size);
    if (error != cudaSuccess) break;
    error = cudaMalloc(&d_out, size);
    if (error != cudaSuccess) break;
    error = cudaMemcpy(d_x, x, size, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) break;
    error = cudaMemcpy(d_y, y, size, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) break;
    saxpy(d_x, d_y, d_out, a, n);
    error = cudaGetLastError();
    if (error != cudaSuccess) break;
    error = cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost);
  } while (false);

  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_y);
  return error;
}

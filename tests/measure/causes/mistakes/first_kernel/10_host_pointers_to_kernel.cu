// CAUSE: saxpy_from_host hands the host's pointers x and y to saxpy and not the copies on the device, and the kernel cannot follow a pointer into host memory.
// LINES: 57
// REPAIR: line 57: `saxpy(x, y, d_out` -> `saxpy(d_x, d_y, d_out`
// GOOD HINT: You copied x and y to the device. Which of the pointers that you give to saxpy point there?
// SYMPTOM: saxpy_from_host: the kernel crashes with an illegal memory access, which the copy of the result returns. saxpy and saxpy_clamped are right.

// saxpy, saxpy with bounds, and saxpy for host arrays

#include "first_kernel.h"

namespace {

constexpr int block = 256;

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n) out[i] = clamp(a * x[i] + y[i], low, high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  int blocks = n / block;
  if (n % block != 0) ++blocks;
  saxpy_kernel<<<blocks, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  int blocks = n / block;
  if (n % block != 0) ++blocks;
  clamped_kernel<<<blocks, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_y, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_out, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    saxpy(x, y, d_out, a, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return error;
}

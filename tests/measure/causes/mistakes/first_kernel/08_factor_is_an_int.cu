// CAUSE: The parameter a of saxpy_kernel is an int, so the factor loses its fraction on the way to the device.
// LINES: 14
// REPAIR: line 14: `int a,` -> `float a,`
// GOOD HINT: Try a = 0.5 with y = 0 everywhere. Follow the factor from the launch into the kernel: which type does it have at each stop?
// SYMPTOM: saxpy and saxpy_from_host: wrong results almost everywhere unless a is a whole number (a = 0.5 acts as 0). saxpy_clamped is right.

#include "first_kernel.h"

namespace {

constexpr int block = 256;

// one thread for each element
__global__ void saxpy_kernel(const float* x, const float* y, float* out, int a, int n) {
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
  if (i < n) {
    const float value = a * x[i] + y[i];
    out[i] = clamp(value, low, high);
  }
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) {
    const int blocks = (n + block - 1) / block;
    saxpy_kernel<<<blocks, block>>>(x, y, out, a, n);
  }
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) {
    const int blocks = (n + block - 1) / block;
    clamped_kernel<<<blocks, block>>>(x, y, out, a, low, high, n);
  }
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
    saxpy(d_x, d_y, d_out, a, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return error;
}

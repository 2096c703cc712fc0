// CAUSE: The line that copies y to the device was copied from the one above and still names x as its source, so the device's y holds x.
// LINES: 61
// REPAIR: error = cudaMemcpy(dev_y, y, bytes, cudaMemcpyHostToDevice);
// SYMPTOM: saxpy_from_host returns a * x[i] + x[i]; saxpy and saxpy_clamped are right.
#include "first_kernel.h"

namespace {

constexpr int block = 256;

__device__ int element() { return blockIdx.x * blockDim.x + threadIdx.x; }

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = element();
  if (i < n) out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = element();
  if (i < n) out[i] = clamp(a * x[i] + y[i], low, high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<(n + block - 1) / block, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<(n + block - 1) / block, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;

  size_t bytes = n * sizeof(float);
  float* dev_x = nullptr;
  float* dev_y = nullptr;
  float* dev_out = nullptr;

  cudaError_t error = cudaMalloc((void**)&dev_x, bytes);
  if (error == cudaSuccess) {
    error = cudaMalloc((void**)&dev_y, bytes);
  }
  if (error == cudaSuccess) {
    error = cudaMalloc((void**)&dev_out, bytes);
  }

  // inputs
  if (error == cudaSuccess) {
    error = cudaMemcpy(dev_x, x, bytes, cudaMemcpyHostToDevice);
  }
  if (error == cudaSuccess) {
    error = cudaMemcpy(dev_y, x, bytes, cudaMemcpyHostToDevice);
  }

  // compute
  if (error == cudaSuccess) {
    saxpy(dev_x, dev_y, dev_out, a, n);
    error = cudaGetLastError();
  }

  // result
  if (error == cudaSuccess) {
    error = cudaMemcpy(out, dev_out, bytes, cudaMemcpyDeviceToHost);
  }

  cudaFree(dev_x);
  cudaFree(dev_y);
  cudaFree(dev_out);
  return error;
}

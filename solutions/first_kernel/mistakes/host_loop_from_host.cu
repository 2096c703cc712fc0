// The host computes the result itself: nothing runs on the device.
// Test: saxpy_from_host is right at every size
// Says: host code reads an element of an array that it was given
// Task: 4

#include "first_kernel.h"

namespace {

constexpr int block = 256;

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
  for (int i = 0; i < n; ++i) out[i] = a * x[i] + y[i];
  return cudaSuccess;
}

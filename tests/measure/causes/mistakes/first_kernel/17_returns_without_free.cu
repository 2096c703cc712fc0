// CAUSE: if the second or third allocation fails, the function returns at once, and what was allocated before stays allocated
// LINES: 53, 55
// REPAIR: remember the error, and go on to the calls of cudaFree
// GOOD HINT: Who frees dev_x, if there is no room for dev_y?
// SYMPTOM: an array stays allocated after a failed call

#include "first_kernel.h"

namespace {

constexpr int TPB = 256;

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) out[idx] = a * x[idx] + y[idx];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    out[idx] = clamp(a * x[idx] + y[idx], low, high);
  }
}

int blocks_for(int n) { return (n + TPB - 1) / TPB; }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<blocks_for(n), TPB>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) {
    clamped_kernel<<<blocks_for(n), TPB>>>(x, y, out, a, low, high, n);
  }
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t size = n * sizeof(float);
  float *dev_x = nullptr, *dev_y = nullptr, *dev_out = nullptr;
  cudaError_t err = cudaMalloc(&dev_x, size);
  if (err != cudaSuccess) return err;
  err = cudaMalloc(&dev_y, size);
  if (err != cudaSuccess) return err;
  err = cudaMalloc(&dev_out, size);
  if (err != cudaSuccess) return err;
  if (err == cudaSuccess) err = cudaMemcpy(dev_x, x, size, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) err = cudaMemcpy(dev_y, y, size, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) {
    saxpy(dev_x, dev_y, dev_out, a, n);
    err = cudaGetLastError();
  }
  if (err == cudaSuccess) err = cudaMemcpy(out, dev_out, size, cudaMemcpyDeviceToHost);
  cudaFree(dev_x);
  cudaFree(dev_y);
  cudaFree(dev_out);
  return err;
}

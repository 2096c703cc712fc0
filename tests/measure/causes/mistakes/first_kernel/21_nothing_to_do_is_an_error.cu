// CAUSE: saxpy_from_host takes n = 0 for a mistake of the caller and returns an error; it is allowed, and there is nothing to do
// LINES: 40
// REPAIR: return cudaSuccess if n is 0
// GOOD HINT: What does first_kernel.h say about n = 0? What should the caller be told?
// SYMPTOM: the test with n = 0 says that saxpy_from_host returned an error

#include "first_kernel.h"

namespace {

__device__ float clamp(float v, float low, float high) { return v < low ? low : (v > high ? high : v); }

__global__ void k1(const float* x, const float* y, float* out, float a, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a * x[i] + y[i];
}

__global__ void k2(const float* x, const float* y, float* out, float a, float low, float high, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = clamp(a * x[i] + y[i], low, high);
}

// at most 4096 blocks, the loop in the kernel does the rest
int grid_size(int n) {
  int g = (n + 255) / 256;
  return g > 4096 ? 4096 : g;
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) k1<<<grid_size(n), 256>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high, int n) {
  if (n > 0) k2<<<grid_size(n), 256>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n <= 0) return cudaErrorInvalidValue;
  const size_t size = sizeof(float) * n;
  float* dev[3] = {nullptr, nullptr, nullptr};
  cudaError_t err = cudaSuccess;
  for (int k = 0; k < 3 && err == cudaSuccess; ++k) err = cudaMalloc(&dev[k], size);
  if (err == cudaSuccess) err = cudaMemcpy(dev[0], x, size, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) err = cudaMemcpy(dev[1], y, size, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) {
    saxpy(dev[0], dev[1], dev[2], a, n);
    err = cudaGetLastError();
  }
  if (err == cudaSuccess) err = cudaMemcpy(out, dev[2], size, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 3; ++k) cudaFree(dev[k]);
  return err;
}

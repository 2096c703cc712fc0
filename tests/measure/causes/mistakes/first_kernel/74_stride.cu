// CAUSE: The loop in saxpy_kernel moves on by the threads of one block instead of all threads of the grid, so each block also computes the elements of all blocks after it.
// LINES: 20
// REPAIR: const int stride = gridDim.x * blockDim.x;
// SYMPTOM: Results are right, but with more than one block elements are loaded many times and written by several blocks (a race; far too many loads per element).
#include "first_kernel.h"

namespace {

constexpr int block = 256;
constexpr int max_blocks = 1024;

// The kernels loop, so the grid does not have to cover all elements.
int grid_size(int n) {
  const int blocks = (n + block - 1) / block;
  return blocks < max_blocks ? blocks : max_blocks;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int start = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = blockDim.x;
  for (int i = start; i < n; i += stride) {
    out[i] = a * x[i] + y[i];
  }
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int start = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = start; i < n; i += gridDim.x * blockDim.x) {
    out[i] = clamp(a * x[i] + y[i], low, high);
  }
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) {
    saxpy_kernel<<<grid_size(n), block>>>(x, y, out, a, n);
  }
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) {
    clamped_kernel<<<grid_size(n), block>>>(x, y, out, a, low, high, n);
  }
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  float *gx = nullptr, *gy = nullptr, *gout = nullptr;
  const size_t bytes = sizeof(float) * n;
  cudaError_t e = cudaMalloc(&gx, bytes);
  if (!e) e = cudaMalloc(&gy, bytes);
  if (!e) e = cudaMalloc(&gout, bytes);
  if (!e) e = cudaMemcpy(gx, x, bytes, cudaMemcpyHostToDevice);
  if (!e) e = cudaMemcpy(gy, y, bytes, cudaMemcpyHostToDevice);
  if (!e) saxpy(gx, gy, gout, a, n);
  if (!e) e = cudaGetLastError();
  if (!e) e = cudaMemcpy(out, gout, bytes, cudaMemcpyDeviceToHost);
  cudaFree(gx);
  cudaFree(gy);
  cudaFree(gout);
  return e;
}

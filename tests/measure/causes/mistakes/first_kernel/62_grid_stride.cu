// CAUSE: The grid-stride loop of clamped_kernel moves on by the threads of one block instead of those of the whole grid, so each block also computes what belongs to the blocks after it.
// LINES: 31
// REPAIR: i += blockDim.x * gridDim.x
// SYMPTOM: The numbers of saxpy_clamped are right, but as soon as there are two blocks several threads write the same element (data race), and far too much memory moves.

#include "first_kernel.h"

namespace {

constexpr int block = 256;
constexpr int most_blocks = 32;

int grid_for(int n) {
  const int needed = (n + block - 1) / block;
  return needed < most_blocks ? needed : most_blocks;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int start = blockIdx.x * blockDim.x + threadIdx.x;
  const int stride = gridDim.x * blockDim.x;
  for (int i = start; i < n; i += stride) out[i] = a * x[i] + y[i];
}

__device__ float clamp(float value, float low, float high) {
  return value < low ? low : (value > high ? high : value);
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int start = blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = start; i < n; i += blockDim.x) {
    out[i] = clamp(a * x[i] + y[i], low, high);
  }
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<grid_for(n), block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<grid_for(n), block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = static_cast<size_t>(n) * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;

  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (!error) error = cudaMalloc(&d_y, bytes);
  if (!error) error = cudaMalloc(&d_out, bytes);
  if (!error) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (!error) saxpy(d_x, d_y, d_out, a, n);
  if (!error) error = cudaGetLastError();
  if (!error) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);

  cudaFree(d_out);
  cudaFree(d_y);
  cudaFree(d_x);
  return error;
}

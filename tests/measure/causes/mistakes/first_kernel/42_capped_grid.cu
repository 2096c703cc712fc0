// CAUSE: The grid is capped at 64 blocks because the kernels are meant to loop, but clamped_kernel handles only one element per thread.
// LINES: 32
// REPAIR: line 32: `if (i < n) {` -> `for (; i < n; i += gridDim.x * blockDim.x) {`
// SYMPTOM: saxpy_clamped leaves every element from index 64 * 128 = 8192 on unwritten; smaller n, saxpy and saxpy_from_host are right.
#include "first_kernel.h"

namespace {

constexpr int threads_per_block = 128;
constexpr int max_blocks = 64;  // a thread takes more than one element if n is large

int blocks_for(int n) {
  const int needed = (n + threads_per_block - 1) / threads_per_block;
  return needed < max_blocks ? needed : max_blocks;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[i] = a * x[i] + y[i];
  }
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const float value = a * x[i] + y[i];
    out[i] = clamp(value, low, high);
  }
}

// Keeps the first error.
void keep(cudaError_t& first, cudaError_t next) {
  if (first == cudaSuccess) first = next;
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<blocks_for(n), threads_per_block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<blocks_for(n), threads_per_block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *device_x = nullptr, *device_y = nullptr, *device_out = nullptr;

  cudaError_t error = cudaMalloc(&device_x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_y, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_out, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    saxpy(device_x, device_y, device_out, a, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);

  keep(error, cudaFree(device_x));
  keep(error, cudaFree(device_y));
  keep(error, cudaFree(device_out));
  return error;
}

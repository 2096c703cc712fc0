// CAUSE: The second copy to the device takes x again, copied from the line above, so d_y holds x. And clamped_kernel counts the threads of the blocks before with gridDim.x, the number of blocks, instead of blockDim.x.
// LINES: 24 50
// REPAIR: line 24: `const int i = blockIdx.x * gridDim.x + threadIdx.x;` -> `const int i = blockIdx.x * blockDim.x + threadIdx.x;`; line 50: `if (error == cudaSuccess) error = upload(&d_y, x, bytes);` -> `if (error == cudaSuccess) error = upload(&d_y, y, bytes);`
// SYMPTOM: saxpy_from_host computes a * x + x; saxpy_clamped leaves elements out and computes others more than once, in a race.

#include "first_kernel.h"

namespace {

constexpr int block = 256;

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * gridDim.x + threadIdx.x;
  if (i < n) out[i] = clamp(a * x[i] + y[i], low, high);
}

cudaError_t upload(float** device, const float* host, size_t bytes) {
  cudaError_t error = cudaMalloc(device, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(*device, host, bytes, cudaMemcpyHostToDevice);
  return error;
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
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;

  cudaError_t error = upload(&d_x, x, bytes);
  if (error == cudaSuccess) error = upload(&d_y, x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_out, bytes);
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

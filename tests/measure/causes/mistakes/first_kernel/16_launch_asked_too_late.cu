// CAUSE: cudaGetLastError comes after the copy of the result, so a failed launch is followed by another call, and its result replaces the copy's
// LINES: 57, 58
// REPAIR: ask cudaGetLastError right after saxpy(), and copy only if that is cudaSuccess
// GOOD HINT: If the launch fails, which call still runs after it?
// SYMPTOM: when a call is made to fail, the function goes on, or returns another error

#include "first_kernel.h"

namespace {

constexpr int kBlock = 256;

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
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = clamp(a * x[i] + y[i], low, high);
  }
}

int blocks_for(int n) { return (n + kBlock - 1) / kBlock; }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<blocks_for(n), kBlock>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) {
    clamped_kernel<<<blocks_for(n), kBlock>>>(x, y, out, a, low, high, n);
  }
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  cudaError_t status = cudaMalloc(&d_x, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&d_y, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&d_out, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
    status = cudaGetLastError();
  }
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return status;
}

// CAUSE: sizeof is taken of the pointer x, which has 8 bytes, not of a float
// LINES: 48
// REPAIR: n * sizeof(float), or n * sizeof(*x)
// GOOD HINT: What does sizeof(x) give, if x is a const float*?
// SYMPTOM: host arrays are read and written past their ends

#include "first_kernel.h"

namespace {

constexpr int THREADS = 256;

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

int blocks_for(int n) { return (n + THREADS - 1) / THREADS; }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<blocks_for(n), THREADS>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) {
    clamped_kernel<<<blocks_for(n), THREADS>>>(x, y, out, a, low, high, n);
  }
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(x);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  cudaError_t err = cudaMalloc(&d_x, bytes);
  if (err == cudaSuccess) err = cudaMalloc(&d_y, bytes);
  if (err == cudaSuccess) err = cudaMalloc(&d_out, bytes);
  if (err == cudaSuccess) err = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) err = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    err = cudaGetLastError();
  }
  if (err == cudaSuccess) err = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return err;
}

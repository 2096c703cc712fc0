// CAUSE: `sizeof(x)` is the size of the pointer x, 8 bytes, and not of the float that it points to, so twice as many bytes are allocated and copied as the arrays have.
// LINES: 46
// REPAIR: line 46: `sizeof(x)` -> `sizeof(float)`
// GOOD HINT: How many bytes do you copy for n = 1? What is the type of the thing whose size you ask for?
// SYMPTOM: saxpy_from_host reads n floats past the end of x and y and writes n floats past the end of out in host memory: stray access or crash; the first n results are right.

#include "first_kernel.h"

constexpr int block = 128;

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  int i = blockIdx.x * block + threadIdx.x;
  if (i < n) {
    out[i] = a * x[i] + y[i];
  }
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  int i = blockIdx.x * block + threadIdx.x;
  if (i < n) {
    out[i] = clamp(a * x[i] + y[i], low, high);
  }
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) {
    saxpy_kernel<<<(n + block - 1) / block, block>>>(x, y, out, a, n);
  }
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) {
    clamped_kernel<<<(n + block - 1) / block, block>>>(x, y, out, a, low, high, n);
  }
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(x);
  float *dx = nullptr, *dy = nullptr, *d_result = nullptr;
  cudaError_t err = cudaMalloc(&dx, bytes);
  if (!err) err = cudaMalloc(&dy, bytes);
  if (!err) err = cudaMalloc(&d_result, bytes);
  if (!err) err = cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice);
  if (!err) err = cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice);
  if (!err) {
    saxpy(dx, dy, d_result, a, n);
    err = cudaGetLastError();
  }
  if (!err) err = cudaMemcpy(out, d_result, bytes, cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(d_result);
  return err;
}

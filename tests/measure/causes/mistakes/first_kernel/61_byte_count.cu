// CAUSE: The number of bytes is made with the size of the pointer x (8 bytes) instead of the size of a float, so every copy moves twice as many bytes as the host arrays have.
// LINES: 51
// REPAIR: const size_t size = n * sizeof(float);
// SYMPTOM: saxpy_from_host reads past the end of x and y and writes past the end of out in host memory (stray access, overwritten neighbors or a crash); saxpy and saxpy_clamped are fine.

#include "first_kernel.h"

namespace {

constexpr int THREADS = 128;

int blocksFor(int n) { return (n + THREADS - 1) / THREADS; }

__global__ void saxpyKernel(const float* x, const float* y, float* out, float a, int n) {
  const int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  out[idx] = a * x[idx] + y[idx];
}

__device__ float clamp(float v, float lo, float hi) {
  if (v < lo) return lo;
  if (v > hi) return hi;
  return v;
}

__global__ void clampedKernel(const float* x, const float* y, float* out, float a, float lo,
                              float hi, int n) {
  const int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  out[idx] = clamp(a * x[idx] + y[idx], lo, hi);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  saxpyKernel<<<blocksFor(n), THREADS>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  clampedKernel<<<blocksFor(n), THREADS>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  float* dx = nullptr;
  float* dy = nullptr;
  float* dout = nullptr;
  const size_t size = n * sizeof(x);
  cudaError_t e = cudaMalloc(&dx, size);
  if (e == cudaSuccess) e = cudaMalloc(&dy, size);
  if (e == cudaSuccess) e = cudaMalloc(&dout, size);
  if (e == cudaSuccess) e = cudaMemcpy(dx, x, size, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(dy, y, size, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) {
    saxpy(dx, dy, dout, a, n);
    e = cudaGetLastError();
  }
  if (e == cudaSuccess) e = cudaMemcpy(out, dout, size, cudaMemcpyDeviceToHost);
  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dout);
  return e;
}

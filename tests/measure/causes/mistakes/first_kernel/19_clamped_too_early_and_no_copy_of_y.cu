// CAUSE: two mistakes: the product is clamped before y is added, and y is never copied to the device
// LINES: 27, 53
// REPAIR: clamp(a * x[i] + y[i], low, high), and cudaMemcpy(d_y, y, ...) before the launch
// GOOD HINT: Which value has to be within the bounds? And who fills d_y?
// SYMPTOM: wrong results of saxpy_clamped; saxpy_from_host reads memory that nobody wrote

#include "first_kernel.h"

namespace {

constexpr int THREADS = 256;

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (gid < n) out[gid] = a * x[gid] + y[gid];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int gid = blockIdx.x * blockDim.x + threadIdx.x;
  if (gid < n) {
    out[gid] = clamp(a * x[gid], low, high) + y[gid];
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
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  cudaError_t e = cudaMalloc(&d_x, bytes);
  if (e == cudaSuccess) e = cudaMalloc(&d_y, bytes);
  if (e == cudaSuccess) e = cudaMalloc(&d_out, bytes);
  if (e == cudaSuccess) e = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    e = cudaGetLastError();
  }
  if (e == cudaSuccess) e = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return e;
}

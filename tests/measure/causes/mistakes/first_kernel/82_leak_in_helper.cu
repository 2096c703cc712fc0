// CAUSE: When the copy in upload() fails, it returns the error but the memory that it has just allocated is never freed: the pointer is handed to the caller only after a successful copy, so the caller's cudaFree gets a null pointer. Device memory leaks on that path.
// LINES: 40
// REPAIR: line 40: `if (e != cudaSuccess) return e;` -> `if (e != cudaSuccess) { cudaFree(fresh); return e; }`
// SYMPTOM: Results are right; when a cudaMemcpy to the device is made to fail, an array stays allocated.

#include <cuda_runtime.h>

#include "first_kernel.h"

namespace {

constexpr unsigned kThreads = 512;

__device__ float clampTo(float v, float lo, float hi) { return v < lo ? lo : (v > hi ? hi : v); }

__global__ void saxpyK(const float* __restrict__ x, const float* __restrict__ y,
                       float* __restrict__ out, float a, int n) {
  const unsigned gid = blockIdx.x * kThreads + threadIdx.x;
  if (gid < unsigned(n)) {
    out[gid] = fmaf(a, x[gid], y[gid]);
  }
}

__global__ void saxpyClampK(const float* __restrict__ x, const float* __restrict__ y,
                            float* __restrict__ out, float a, float lo, float hi, int n) {
  const unsigned gid = blockIdx.x * kThreads + threadIdx.x;
  if (gid < unsigned(n)) {
    out[gid] = clampTo(fmaf(a, x[gid], y[gid]), lo, hi);
  }
}

unsigned gridSize(int n) { return (unsigned(n) + kThreads - 1) / kThreads; }

// Allocates an array on the device and fills it. *where is the new array.
cudaError_t upload(const float* host, int n, float** where) {
  float* fresh = nullptr;
  cudaError_t e = cudaMalloc(&fresh, n * sizeof(float));
  if (e != cudaSuccess) return e;
  e = cudaMemcpy(fresh, host, n * sizeof(float), cudaMemcpyHostToDevice);
  if (e != cudaSuccess) return e;
  *where = fresh;
  return cudaSuccess;
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  saxpyK<<<gridSize(n), kThreads>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  saxpyClampK<<<gridSize(n), kThreads>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  float* devX = nullptr;
  float* devY = nullptr;
  float* devOut = nullptr;
  cudaError_t e = upload(x, n, &devX);
  if (e == cudaSuccess) e = upload(y, n, &devY);
  if (e == cudaSuccess) e = cudaMalloc(&devOut, n * sizeof(float));
  if (e == cudaSuccess) {
    saxpy(devX, devY, devOut, a, n);
    e = cudaGetLastError();
  }
  if (e == cudaSuccess) e = cudaMemcpy(out, devOut, n * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(devOut);
  cudaFree(devY);
  cudaFree(devX);
  return e;
}

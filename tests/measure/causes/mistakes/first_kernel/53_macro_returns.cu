// CAUSE: The error macro returns from the function at once, so the device arrays that were allocated before the failing call are never freed.
// LINES: 10
// REPAIR: line 10: `if (status != cudaSuccess) return status; \` -> `if (status != cudaSuccess) { cudaFree(dx), cudaFree(dy), cudaFree(dout); return status; }  \`
// SYMPTOM: Right results; when one of the CUDA calls fails, the right error is returned, but up to three arrays stay allocated.
#include "first_kernel.h"

#define TRY(call)   \
  do {              \
    status = (call); \
    if (status != cudaSuccess) return status; \
  } while (0)

static const int kThreads = 128;

static __device__ inline float clampf(float v, float lo, float hi) {
  if (v < lo) v = lo;
  if (v > hi) v = hi;
  return v;
}

static __global__ void saxpyKernel(const float* x, const float* y, float* out, float a, int n) {
  const int tid = threadIdx.x + blockDim.x * blockIdx.x;
  if (tid >= n) return;
  out[tid] = a * x[tid] + y[tid];
}

static __global__ void saxpyClampKernel(const float* x, const float* y, float* out, float a,
                                        float lo, float hi, int n) {
  const int tid = threadIdx.x + blockDim.x * blockIdx.x;
  if (tid >= n) return;
  const float r = a * x[tid] + y[tid];
  out[tid] = clampf(r, lo, hi);
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  saxpyKernel<<<(n - 1) / kThreads + 1, kThreads>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  saxpyClampKernel<<<(n - 1) / kThreads + 1, kThreads>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  cudaError_t status = cudaSuccess;
  float *dx = nullptr, *dy = nullptr, *dout = nullptr;
  size_t bytes = n * sizeof(float);
  if (n == 0) return status;

  // space on the device
  TRY(cudaMalloc(&dx, bytes));
  TRY(cudaMalloc(&dy, bytes));
  TRY(cudaMalloc(&dout, bytes));

  // there ...
  TRY(cudaMemcpy(dx, x, bytes, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(dy, y, bytes, cudaMemcpyHostToDevice));
  saxpy(dx, dy, dout, a, n);
  TRY(cudaGetLastError());
  // ... and back
  TRY(cudaMemcpy(out, dout, bytes, cudaMemcpyDeviceToHost));

  cudaFree(dx);
  cudaFree(dy);
  cudaFree(dout);
  return status;
}

// CAUSE: cudaGetLastError() is called before the launch instead of after it, so an error of the launch is never seen.
// LINES: 64 65
// REPAIR: saxpy(d_x, d_y, d_out, a, n); status = cudaGetLastError();   // in this order
// SYMPTOM: If the launch fails, the function goes on, copies a result that nobody computed, and does not return the error of the launch.

// saxpy, my solution
#include <cuda_runtime.h>

#include "first_kernel.h"

#define THREADS 128

// calls the function only if everything before it went well
#define TRY(call)                               \
  do {                                          \
    if (status == cudaSuccess) status = (call); \
  } while (0)

static __device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}

static __global__ void axpy(const float* x, const float* y, float* out, float a, int n) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  out[idx] = a * x[idx] + y[idx];
}

static __global__ void axpy_clamped(const float* x, const float* y, float* out, float a, float low,
                                    float high, int n) {
  int idx = threadIdx.x + blockIdx.x * blockDim.x;
  if (idx >= n) return;
  float value = a * x[idx] + y[idx];
  value = clamp(value, low, high);
  out[idx] = value;
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  int blocks = (n + THREADS - 1) / THREADS;
  axpy<<<blocks, THREADS>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  int blocks = (n + THREADS - 1) / THREADS;
  axpy_clamped<<<blocks, THREADS>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  float *d_x = NULL, *d_y = NULL, *d_out = NULL;
  size_t size = n * sizeof(float);
  cudaError_t status = cudaSuccess;

  TRY(cudaMalloc(&d_x, size));
  TRY(cudaMalloc(&d_y, size));
  TRY(cudaMalloc(&d_out, size));
  TRY(cudaMemcpy(d_x, x, size, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(d_y, y, size, cudaMemcpyHostToDevice));
  if (status == cudaSuccess) {
    status = cudaGetLastError();
    saxpy(d_x, d_y, d_out, a, n);
  }
  TRY(cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost));

  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return status;
}

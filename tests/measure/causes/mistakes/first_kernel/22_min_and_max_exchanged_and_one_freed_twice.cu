// CAUSE: two mistakes: the clamp takes the larger of value and high and the smaller of that and low, so that every result becomes low; and one of the arrays is freed twice while another is never freed
// LINES: 15, 61
// REPAIR: fminf(fmaxf(value, low), high); cudaFree(devOut) in the third line
// GOOD HINT: Follow a value between low and high through clamp. And which pointer does each of your three cudaFree get?
// SYMPTOM: all clamped results are low; an array is left allocated, and an address is freed twice

#include "first_kernel.h"

#define CHECK(call)                         \
  do {                                      \
    if (status == cudaSuccess) status = (call); \
  } while (0)

__device__ float clamp(float value, float low, float high) {
  return fminf(fmaxf(value, high), low);
}

__global__ void saxpyKernel(const float* x, const float* y, float* out, float a, int n) {
  const int gid = blockDim.x * blockIdx.x + threadIdx.x;
  if (gid < n) {
    out[gid] = a * x[gid] + y[gid];
  }
}

__global__ void saxpyClampedKernel(const float* x, const float* y, float* out, float a, float low,
                                   float high, int n) {
  const int gid = blockDim.x * blockIdx.x + threadIdx.x;
  if (gid < n) {
    out[gid] = clamp(a * x[gid] + y[gid], low, high);
  }
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  const dim3 threads(512);
  const dim3 blocks((n + threads.x - 1) / threads.x);
  if (blocks.x > 0) saxpyKernel<<<blocks, threads>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high, int n) {
  const dim3 threads(512);
  const dim3 blocks((n + threads.x - 1) / threads.x);
  if (blocks.x > 0) saxpyClampedKernel<<<blocks, threads>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  cudaError_t status = cudaSuccess;
  float* devX = nullptr;
  float* devY = nullptr;
  float* devOut = nullptr;
  const size_t bytes = size_t(n) * sizeof(float);
  CHECK(cudaMalloc(&devX, bytes));
  CHECK(cudaMalloc(&devY, bytes));
  CHECK(cudaMalloc(&devOut, bytes));
  CHECK(cudaMemcpy(devX, x, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(devY, y, bytes, cudaMemcpyHostToDevice));
  if (status == cudaSuccess) saxpy(devX, devY, devOut, a, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, devOut, bytes, cudaMemcpyDeviceToHost));
  cudaFree(devX);
  cudaFree(devY);
  cudaFree(devY);
  return status;
}

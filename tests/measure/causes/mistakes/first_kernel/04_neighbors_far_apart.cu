// CAUSE: In saxpy_kernel thread and block change places in the index: each thread gets one element, but neighboring threads are gridDim.x elements apart, so the access is not coalesced.
// LINES: 14
// REPAIR: line 14: `threadIdx.x * gridDim.x + blockIdx.x` -> `blockIdx.x * blockDim.x + threadIdx.x`
// GOOD HINT: Your results are right. Now write down the elements of threads 0, 1 and 2 of block 0 for n = 10,000. How many sectors does the warp touch?
// SYMPTOM: Right results. saxpy moves far too many bytes (up to 32 sectors per request instead of 4) and is slow as soon as there are several blocks; saxpy_clamped is coalesced.

#include "first_kernel.h"

namespace {

constexpr int block = 256;  // threads per block

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = threadIdx.x * gridDim.x + blockIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = clamp(a * x[i] + y[i], low, high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  const int blocks = (n + block - 1) / block;
  if (blocks > 0) saxpy_kernel<<<blocks, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  const int blocks = (n + block - 1) / block;
  if (blocks > 0) clamped_kernel<<<blocks, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t size = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;
  cudaError_t e = cudaMalloc(&d_x, size);
  if (e == cudaSuccess) e = cudaMalloc(&d_y, size);
  if (e == cudaSuccess) e = cudaMalloc(&d_out, size);
  if (e == cudaSuccess) e = cudaMemcpy(d_x, x, size, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) e = cudaMemcpy(d_y, y, size, cudaMemcpyHostToDevice);
  if (e == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    e = cudaGetLastError();
  }
  if (e == cudaSuccess) e = cudaMemcpy(out, d_out, size, cudaMemcpyDeviceToHost);
  cudaFree(d_out);
  cudaFree(d_y);
  cudaFree(d_x);
  return e;
}

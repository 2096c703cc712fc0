// CAUSE: The macro returns from the function at the first error without freeing the device arrays that have been allocated so far.
// LINES: 10
// REPAIR: if (status != cudaSuccess) { cudaFree(d_x); cudaFree(d_y); cudaFree(d_out); return status; }
// SYMPTOM: Results and returned errors are right, but when a later call fails, the arrays allocated before it leak.
#include "first_kernel.h"

#define CUDA_CHECK(call)                       \
  do {                                         \
    cudaError_t status = (call);               \
    if (status != cudaSuccess) return status;  \
  } while (0)

namespace {

const int BLOCK = 128;

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float result = a * x[i] + y[i];
  out[i] = clamp(result, low, high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) {
    const int blocks = (n + BLOCK - 1) / BLOCK;
    saxpy_kernel<<<blocks, BLOCK>>>(x, y, out, a, n);
  }
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) {
    const int blocks = (n + BLOCK - 1) / BLOCK;
    clamped_kernel<<<blocks, BLOCK>>>(x, y, out, a, low, high, n);
  }
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_out = nullptr;
  const size_t bytes = n * sizeof(float);

  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));
  CUDA_CHECK(cudaMalloc(&d_out, bytes));
  CUDA_CHECK(cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice));
  saxpy(d_x, d_y, d_out, a, n);
  CUDA_CHECK(cudaGetLastError());
  CUDA_CHECK(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));

  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return cudaSuccess;
}

// CAUSE: If the copy of the result fails, the function returns at once and never comes to the three cudaFree calls, so the device arrays stay allocated.
// LINES: 61
// REPAIR: delete line 61, `if (status != cudaSuccess) return status;  // no result`
// GOOD HINT: Walk through the function for the case that the last copy fails. Who frees the arrays then?
// SYMPTOM: Right results. When the copy back to the host fails, the right error is returned, but three arrays are left allocated.

// Lab `first_kernel`: out[i] = a * x[i] + y[i]

#include "first_kernel.h"

namespace {

constexpr int block = 256;

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < n) out[index] = a * x[index] + y[index];
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < n) out[index] = clamp(a * x[index] + y[index], low, high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  saxpy_kernel<<<(n + block - 1) / block, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  clamped_kernel<<<(n + block - 1) / block, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float* gpu_x = nullptr;
  float* gpu_y = nullptr;
  float* gpu_out = nullptr;

  cudaError_t status = cudaMalloc(&gpu_x, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&gpu_y, bytes);
  if (status == cudaSuccess) status = cudaMalloc(&gpu_out, bytes);
  if (status == cudaSuccess) status = cudaMemcpy(gpu_x, x, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(gpu_y, y, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    saxpy(gpu_x, gpu_y, gpu_out, a, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) {
    status = cudaMemcpy(out, gpu_out, bytes, cudaMemcpyDeviceToHost);
    if (status != cudaSuccess) return status;  // no result
  }

  cudaFree(gpu_x);
  cudaFree(gpu_y);
  cudaFree(gpu_out);
  return status;
}

// CAUSE: When the third cudaMalloc fails, the function returns after it has freed only the first array; the second one stays allocated.
// LINES: after 68
// REPAIR: insert cudaFree(gpu_y);
// SYMPTOM: All results are right. When the test makes the allocation of the result array fail, one array is left allocated (safety).

#include "first_kernel.h"

namespace {

constexpr int threads_per_block = 256;

__device__ int my_index() { return blockDim.x * blockIdx.x + threadIdx.x; }

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = my_index();
  if (i < n) {
    out[i] = a * x[i] + y[i];
  }
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = my_index();
  if (i < n) {
    const float value = a * x[i] + y[i];
    out[i] = clamp(value, low, high);
  }
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  const int blocks = (n - 1) / threads_per_block + 1;
  saxpy_kernel<<<blocks, threads_per_block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  const int blocks = (n - 1) / threads_per_block + 1;
  clamped_kernel<<<blocks, threads_per_block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float* gpu_x = nullptr;
  float* gpu_y = nullptr;
  float* gpu_out = nullptr;

  cudaError_t status = cudaMalloc(&gpu_x, bytes);
  if (status != cudaSuccess) return status;

  status = cudaMalloc(&gpu_y, bytes);
  if (status != cudaSuccess) {
    cudaFree(gpu_x);
    return status;
  }

  status = cudaMalloc(&gpu_out, bytes);
  if (status != cudaSuccess) {
    cudaFree(gpu_x);
    return status;
  }

  status = cudaMemcpy(gpu_x, x, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(gpu_y, y, bytes, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    saxpy(gpu_x, gpu_y, gpu_out, a, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(out, gpu_out, bytes, cudaMemcpyDeviceToHost);

  cudaFree(gpu_x);
  cudaFree(gpu_y);
  cudaFree(gpu_out);
  return status;
}

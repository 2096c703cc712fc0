// CAUSE: (1) In clamped_kernel the early return lets thread n through, because it tests i > n instead of i >= n. (2) sizeof(x) is the size of a pointer, 8 bytes, not that of a float, so all copies move twice as many bytes as there are.
// LINES: 25 46
// REPAIR: (1) if (i >= n) return; (2) const size_t num_bytes = n * sizeof(float);
// SYMPTOM: saxpy_clamped reads x[n] and y[n] and writes out[n] whenever n is no multiple of the block size; saxpy_from_host reads past the end of the host's x and y, and writes past the end of out.
#include "first_kernel.h"

namespace {

constexpr int num_threads = 512;

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  int i = blockIdx.x * num_threads + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + y[i];
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  int i = blockIdx.x * num_threads + threadIdx.x;
  if (i > n) return;
  float v = a * x[i] + y[i];
  out[i] = clamp(v, low, high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n <= 0) return;
  int num_blocks = (n - 1) / num_threads + 1;
  saxpy_kernel<<<num_blocks, num_threads>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n <= 0) return;
  int num_blocks = (n - 1) / num_threads + 1;
  clamped_kernel<<<num_blocks, num_threads>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t num_bytes = n * sizeof(x);
  float* x_dev = nullptr;
  float* y_dev = nullptr;
  float* out_dev = nullptr;

  cudaError_t error = cudaMalloc(&x_dev, num_bytes);
  if (error == cudaSuccess) error = cudaMalloc(&y_dev, num_bytes);
  if (error == cudaSuccess) error = cudaMalloc(&out_dev, num_bytes);
  if (error == cudaSuccess) error = cudaMemcpy(x_dev, x, num_bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(y_dev, y, num_bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) saxpy(x_dev, y_dev, out_dev, a, n);
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaMemcpy(out, out_dev, num_bytes, cudaMemcpyDeviceToHost);

  cudaFree(x_dev);
  cudaFree(y_dev);
  cudaFree(out_dev);
  return error;
}

// CAUSE: bytes is computed with sizeof(x), the size of a pointer (8), instead of the size of a float (4), so all three copies move twice as many bytes as the host arrays have.
// LINES: 51
// REPAIR: line 51: `const size_t bytes = n * sizeof(x);` -> `const size_t bytes = n * sizeof(float);`
// SYMPTOM: saxpy_from_host reads past the end of x and y and writes n floats past the end of out in host memory; the first n results are right.
#include "first_kernel.h"

// threads in a block
#define NUM_THREADS 256

__global__ void saxpy_gpu(const float* x, const float* y, float* out, float a, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    out[idx] = a * x[idx] + y[idx];
  }
}

__device__ float clamp_value(float v, float low, float high) {
  if (v < low) {
    return low;
  }
  if (v > high) {
    return high;
  }
  return v;
}

__global__ void saxpy_clamped_gpu(const float* x, const float* y, float* out, float a, float low,
                                  float high, int n) {
  int idx = blockIdx.x * blockDim.x + threadIdx.x;
  if (idx < n) {
    out[idx] = clamp_value(a * x[idx] + y[idx], low, high);
  }
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  int num_blocks = (n + NUM_THREADS - 1) / NUM_THREADS;
  saxpy_gpu<<<num_blocks, NUM_THREADS>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  int num_blocks = (n + NUM_THREADS - 1) / NUM_THREADS;
  saxpy_clamped_gpu<<<num_blocks, NUM_THREADS>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;

  const size_t bytes = n * sizeof(x);
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_out = nullptr;

  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_y, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_out, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) {
    saxpy(d_x, d_y, d_out, a, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);

  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return error;
}

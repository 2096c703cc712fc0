// CAUSE: A thread of saxpy_kernel handles two elements that are `block` apart, but the guard only covers the first: the second may lie past the end.
// LINES: 17
// REPAIR: line 17: `out[second] = a * x[second] + y[second];` -> `if (second < n) out[second] = a * x[second] + y[second];`
// SYMPTOM: saxpy (and with it saxpy_from_host) loads and stores outside the arrays unless n is a multiple of 512; saxpy_clamped is right.
#include "first_kernel.h"

namespace {

constexpr int block = 256;
constexpr int per_block = 2 * block;  // each thread has two elements

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int first = blockIdx.x * per_block + threadIdx.x;
  const int second = first + block;
  if (first < n) {
    out[first] = a * x[first] + y[first];
    out[second] = a * x[second] + y[second];
  }
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  if (value > high) return high;
  return value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  for (int k = 0; k < 2; ++k) {
    const int i = blockIdx.x * per_block + k * block + threadIdx.x;
    if (i < n) out[i] = clamp(a * x[i] + y[i], low, high);
  }
}

int grid(int n) { return (n + per_block - 1) / per_block; }

cudaError_t first_of(cudaError_t one, cudaError_t two) { return one != cudaSuccess ? one : two; }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<grid(n), block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<grid(n), block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;

  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (error == cudaSuccess) {
    error = cudaMalloc(&d_y, bytes);
    if (error == cudaSuccess) {
      error = cudaMalloc(&d_out, bytes);
      if (error == cudaSuccess) {
        error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
        if (error == cudaSuccess) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
        if (error == cudaSuccess) {
          saxpy(d_x, d_y, d_out, a, n);
          error = cudaGetLastError();
        }
        if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
        error = first_of(error, cudaFree(d_out));
      }
      error = first_of(error, cudaFree(d_y));
    }
    error = first_of(error, cudaFree(d_x));
  }
  return error;
}

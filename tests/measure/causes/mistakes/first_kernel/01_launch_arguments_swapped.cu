// CAUSE: In saxpy_clamped the two numbers in <<<...>>> are swapped: it starts 256 blocks of `blocks` threads, where it should start `blocks` blocks of 256 threads.
// LINES: 43
// REPAIR: line 43: `<<<block, blocks>>>` -> `<<<blocks, block>>>`
// GOOD HINT: Read the launch aloud: which of the two numbers between <<< and >>> counts the blocks, and which the threads of a block? How many threads does your block have for n = 10, and for n = 1,000,000?
// SYMPTOM: saxpy_clamped: right results for small n, but with blocks of a few threads (for n <= 256 of one thread), so uncoalesced; for n > 262,144 a block would have more than 1024 threads, the launch fails, and nothing is written. saxpy is right.

// Lab first_kernel

#include "first_kernel.h"

namespace {

constexpr int block = 256;  // threads per block

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
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
  if (n == 0) return;
  const int blocks = (n + block - 1) / block;
  saxpy_kernel<<<blocks, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  const int blocks = (n + block - 1) / block;
  clamped_kernel<<<block, blocks>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float* d_x = nullptr;
  float* d_y = nullptr;
  float* d_out = nullptr;
  cudaError_t error = cudaMalloc(&d_x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_y, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&d_out, bytes);
  if (error == cudaSuccess) error = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) saxpy(d_x, d_y, d_out, a, n);
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error == cudaSuccess) error = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return error;
}

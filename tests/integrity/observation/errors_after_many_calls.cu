// Copies in many pieces, and looks only at the errors of the copies to the device.
// Lab: first_kernel
// Verdict: graded
// Earns: correctness 53.33, safety 24, memory 16
// Says: was made to fail

#include "first_kernel.h"

namespace {

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = fmaxf(low, fminf(a * x[i] + y[i], high));
}

int blocks_for(int n) { return (n + 127) / 128; }

cudaError_t copy_in_pieces(float* to, const float* from, int n) {
  const int piece = n / 29 + 1;
  for (int first = 0; first < n; first += piece) {
    const size_t bytes = sizeof(float) * (n - first < piece ? n - first : piece);
    const cudaError_t error = cudaMemcpy(to + first, from + first, bytes, cudaMemcpyHostToDevice);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<blocks_for(n), 128>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<blocks_for(n), 128>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  float* arrays = nullptr;
  cudaError_t error = cudaMalloc(&arrays, 3 * sizeof(float) * n);
  if (error == cudaSuccess) error = copy_in_pieces(arrays, x, n);
  if (error == cudaSuccess) error = copy_in_pieces(arrays + n, y, n);
  if (error == cudaSuccess) {
    saxpy(arrays, arrays + n, arrays + 2 * n, a, n);
    cudaMemcpy(out, arrays + 2 * n, sizeof(float) * n, cudaMemcpyDeviceToHost);
  }
  cudaFree(arrays);
  return error;
}

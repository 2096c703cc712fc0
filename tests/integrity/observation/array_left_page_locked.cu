// Page-locks an array of the caller, and leaves it so.
// Lab: first_kernel
// Verdict: graded
// Earns: correctness 53.33, safety 16, memory 16
// Says: left 67 page-locked arrays behind in 67 calls
// Says: returned cudaErrorHostMemoryAlreadyRegistered

#include "first_kernel.h"

namespace {

constexpr int block = 256;

__global__ void add(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__global__ void add_clamped(const float* x, const float* y, float* out, float a, float low,
                            float high, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  const float sum = a * x[i] + y[i];
  out[i] = sum < low ? low : sum > high ? high : sum;
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) add<<<(n + block - 1) / block, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) add_clamped<<<(n + block - 1) / block, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = sizeof(float) * n;
  float* device = nullptr;
  cudaError_t error = cudaMalloc(&device, 3 * bytes);
  if (!error) error = cudaHostRegister(const_cast<float*>(x), bytes, cudaHostRegisterDefault);
  if (!error) error = cudaMemcpy(device, x, bytes, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy(device + n, y, bytes, cudaMemcpyHostToDevice);
  if (!error) {
    saxpy(device, device + n, device + 2 * n, a, n);
    error = cudaGetLastError();
  }
  if (!error) error = cudaMemcpy(out, device + 2 * n, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return error;
}

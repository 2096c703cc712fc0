// CAUSE: The kernel takes n before a, but saxpy passes a before n; the two are converted silently, so the kernel runs with n = int(a) and a = float(n).
// LINES: 36
// REPAIR: line 36: `if (n > 0) axpy<<<blocks_for(n, 256), 256>>>(out, x, y, a, n);` -> `if (n > 0) axpy<<<blocks_for(n, 256), 256>>>(out, x, y, n, a);`
// SYMPTOM: Almost all elements of out are never written, in saxpy and saxpy_from_host; saxpy_clamped is right.
#include "first_kernel.h"

namespace {

__device__ float limit(float value, float low, float high) {
  return value < low ? low : (value > high ? high : value);
}

// grid-stride loops, so any number of blocks works
__global__ void axpy(float* __restrict__ out, const float* __restrict__ x,
                     const float* __restrict__ y, int n, float a) {
  const int stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = a * x[i] + y[i];
}

__global__ void axpy_limited(float* __restrict__ out, const float* __restrict__ x,
                             const float* __restrict__ y, int n, float a, float low, float high) {
  const int stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = limit(a * x[i] + y[i], low, high);
}

int blocks_for(int n, int threads) {
  const int wanted = (n + threads - 1) / threads;
  return wanted < 4096 ? wanted : 4096;
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) axpy<<<blocks_for(n, 256), 256>>>(out, x, y, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) axpy_limited<<<blocks_for(n, 256), 256>>>(out, x, y, n, a, low, high);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n <= 0) return cudaSuccess;
  const size_t size = sizeof(float) * n;

  float* dev[3] = {nullptr, nullptr, nullptr};  // x, y, out
  cudaError_t status = cudaSuccess;
  for (int k = 0; k < 3 && status == cudaSuccess; k++) status = cudaMalloc(&dev[k], size);

  if (status == cudaSuccess) status = cudaMemcpy(dev[0], x, size, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(dev[1], y, size, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    saxpy(dev[0], dev[1], dev[2], a, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(out, dev[2], size, cudaMemcpyDeviceToHost);

  for (int k = 0; k < 3; k++) cudaFree(dev[k]);
  return status;
}

// CAUSE: (1) element() numbers the threads block by block the wrong way round, so neighboring threads are gridDim.x elements apart. (2) The error of the launch is only asked for after the result has been copied.
// LINES: 17 54 55
// REPAIR: (1) return blockIdx.x * blockDim.x + threadIdx.x; (2) move the cudaGetLastError() line before the copy to out.
// SYMPTOM: The numbers are right, but the accesses are not coalesced (memory), and when a launch fails, one more CUDA call (cudaMemcpy) follows the error.

#include "first_kernel.h"

namespace {

constexpr int block = 256;

__device__ float clamp(float value, float low, float high) {
  return value < low ? low : value > high ? high : value;
}

__device__ int element() {
  return threadIdx.x * gridDim.x + blockIdx.x;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int e = element();
  if (e < n) out[e] = a * x[e] + y[e];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int e = element();
  if (e < n) out[e] = clamp(a * x[e] + y[e], low, high);
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
  if (n == 0) return cudaSuccess;
  float* dev[3] = {nullptr, nullptr, nullptr};  // x, y, out
  const size_t bytes = n * sizeof(float);

  cudaError_t err = cudaSuccess;
  for (int k = 0; k < 3 && err == cudaSuccess; ++k) err = cudaMalloc(&dev[k], bytes);
  if (err == cudaSuccess) err = cudaMemcpy(dev[0], x, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) err = cudaMemcpy(dev[1], y, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) saxpy(dev[0], dev[1], dev[2], a, n);
  if (err == cudaSuccess) err = cudaMemcpy(out, dev[2], bytes, cudaMemcpyDeviceToHost);
  if (err == cudaSuccess) err = cudaGetLastError();

  for (int k = 0; k < 3; ++k) cudaFree(dev[k]);
  return err;
}

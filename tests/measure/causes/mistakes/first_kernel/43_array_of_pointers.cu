// CAUSE: The copy back to the host does not ask whether everything before it went well: it runs after a failure, too, and its own result replaces the first error.
// LINES: 56
// REPAIR: line 56: `status = cudaMemcpy(out, dev[2], bytes, cudaMemcpyDeviceToHost);` -> `if (status == cudaSuccess) status = cudaMemcpy(out, dev[2], bytes, cudaMemcpyDeviceToHost);`
// SYMPTOM: Results are right as long as nothing fails; when an allocation, a copy to the device or the launch fails, a further CUDA call follows and another error (or none) is returned.
#include "first_kernel.h"

namespace {

constexpr int block = 512;

__device__ float limited(float value, float low, float high) {
  return value < low ? low : (value > high ? high : value);
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  out[i] = limited(a * x[i] + y[i], low, high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  const int blocks = (n + block - 1) / block;
  if (blocks > 0) saxpy_kernel<<<blocks, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  const int blocks = (n + block - 1) / block;
  if (blocks > 0) clamped_kernel<<<blocks, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const float* from[2] = {x, y};
  float* dev[3] = {nullptr, nullptr, nullptr};  // x, y, out
  const size_t bytes = sizeof(float) * n;
  cudaError_t status = cudaSuccess;

  for (int k = 0; k < 3 && status == cudaSuccess; k++) status = cudaMalloc(&dev[k], bytes);
  for (int k = 0; k < 2 && status == cudaSuccess; k++)
    status = cudaMemcpy(dev[k], from[k], bytes, cudaMemcpyHostToDevice);

  if (status == cudaSuccess) {
    saxpy(dev[0], dev[1], dev[2], a, n);
    status = cudaGetLastError();
  }
  status = cudaMemcpy(out, dev[2], bytes, cudaMemcpyDeviceToHost);

  for (float* p : dev) {
    const cudaError_t freed = cudaFree(p);
    if (status == cudaSuccess) status = freed;
  }
  return status;
}

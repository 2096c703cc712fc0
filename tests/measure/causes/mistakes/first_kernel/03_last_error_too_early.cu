// CAUSE: cudaGetLastError() is called before saxpy() and not after it, so nobody asks whether the launch succeeded.
// LINES: 64, 65
// REPAIR: line 64: `error = cudaGetLastError();` -> `saxpy(device_x, device_y, device_out, a, n);`; line 65: `saxpy(device_x, device_y, device_out, a, n);` -> `error = cudaGetLastError();`
// GOOD HINT: Your question about the launch is answered with what happened before it is asked. What has happened by then?
// SYMPTOM: Right results as long as all works. If the launch fails, the error is not returned: the copy of the result is made all the same, and cudaSuccess comes back with garbage (never-written device memory) in out.

// Lab `first_kernel`: out[i] = a * x[i] + y[i], one thread per element.

#include "first_kernel.h"

namespace {

constexpr int block = 256;

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + y[i];
}

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = clamp(a * x[i] + y[i], low, high);
}

int blocks_for(int n) { return (n - 1) / block + 1; }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  saxpy_kernel<<<blocks_for(n), block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  clamped_kernel<<<blocks_for(n), block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float* device_x = nullptr;
  float* device_y = nullptr;
  float* device_out = nullptr;

  // allocate
  cudaError_t error = cudaMalloc(&device_x, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_y, bytes);
  if (error == cudaSuccess) error = cudaMalloc(&device_out, bytes);

  // there
  if (error == cudaSuccess) error = cudaMemcpy(device_x, x, bytes, cudaMemcpyHostToDevice);
  if (error == cudaSuccess) error = cudaMemcpy(device_y, y, bytes, cudaMemcpyHostToDevice);

  // compute
  if (error == cudaSuccess) error = cudaGetLastError();
  if (error == cudaSuccess) saxpy(device_x, device_y, device_out, a, n);

  // and back
  if (error == cudaSuccess) error = cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);

  cudaFree(device_x);
  cudaFree(device_y);
  cudaFree(device_out);
  return error;
}

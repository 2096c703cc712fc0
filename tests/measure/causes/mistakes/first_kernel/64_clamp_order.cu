// CAUSE: In clamped_kernel the value is kept within the bounds before y is added, so the sum can leave the bounds again.
// LINES: 28 29
// REPAIR: swap the two lines, so that y is added first and the sum is clamped.
// SYMPTOM: saxpy_clamped gives wrong results, some of them outside [low, high]; saxpy is right.

#include "first_kernel.h"

namespace {

const int kBlock = 192;

__device__ float keep_within(float v, float low, float high) {
  if (v > high) v = high;
  if (v < low) v = low;
  return v;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  int i = blockIdx.x * kBlock + threadIdx.x;
  if (i >= n) return;
  float value = a * x[i];
  value = keep_within(value, low, high);
  value += y[i];
  out[i] = value;
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  int grid = (n + kBlock - 1) / kBlock;
  if (grid > 0) saxpy_kernel<<<grid, kBlock>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  int grid = (n + kBlock - 1) / kBlock;
  if (grid > 0) clamped_kernel<<<grid, kBlock>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  size_t bytes = sizeof(float) * n;
  float *x_dev = nullptr, *y_dev = nullptr, *out_dev = nullptr;
  cudaError_t err = cudaSuccess;

  // one pass, left at the first failure
  do {
    if ((err = cudaMalloc(&x_dev, bytes)) != cudaSuccess) break;
    if ((err = cudaMalloc(&y_dev, bytes)) != cudaSuccess) break;
    if ((err = cudaMalloc(&out_dev, bytes)) != cudaSuccess) break;
    if ((err = cudaMemcpy(x_dev, x, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) break;
    if ((err = cudaMemcpy(y_dev, y, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) break;
    saxpy(x_dev, y_dev, out_dev, a, n);
    if ((err = cudaGetLastError()) != cudaSuccess) break;
    err = cudaMemcpy(out, out_dev, bytes, cudaMemcpyDeviceToHost);
  } while (false);

  cudaFree(x_dev);
  cudaFree(y_dev);
  cudaFree(out_dev);
  return err;
}

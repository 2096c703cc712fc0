// CAUSE: Two mistakes. (1) The guard of the clamped kernel lets i == n through (i > n instead of i >= n), so one thread works past the end. (2) The result of cudaFree overwrites the error that is to be returned, so saxpy_from_host returns cudaSuccess after a failure.
// LINES: 26 62
// REPAIR: line 26: `if (i > n) return;` -> `if (i >= n) return;`; line 62: `err = cudaFree(all);` -> `cudaFree(all);`
// SYMPTOM: saxpy_clamped accesses element n, unless n is a multiple of the block size; saxpy_from_host returns cudaSuccess when one of its calls has failed.

#include "first_kernel.h"

namespace {

constexpr int B = 192;

__device__ void keep(float& v, float low, float high) {
  if (v < low) v = low;
  if (v > high) v = high;
}

__global__ void plain(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * B + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + y[i];
}

__global__ void clamped(const float* x, const float* y, float* out, float a, float low, float high,
                        int n) {
  const int i = blockIdx.x * B + threadIdx.x;
  if (i > n) return;
  float v = a * x[i] + y[i];
  keep(v, low, high);
  out[i] = v;
}

int grid(int n) { return n / B + (n % B ? 1 : 0); }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n) plain<<<grid(n), B>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n) clamped<<<grid(n), B>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  // one allocation for all three: x, then y, then out
  float* all = nullptr;
  cudaError_t err = cudaMalloc(&all, 3 * sizeof(float) * n);
  if (err) return err;
  float* const dx = all;
  float* const dy = dx + n;
  float* const dout = dy + n;

  err = cudaMemcpy(dx, x, n * sizeof(float), cudaMemcpyHostToDevice);
  if (!err) err = cudaMemcpy(dy, y, n * sizeof(float), cudaMemcpyHostToDevice);
  if (!err) {
    saxpy(dx, dy, dout, a, n);
    err = cudaGetLastError();
  }
  if (!err) err = cudaMemcpy(out, dout, n * sizeof(float), cudaMemcpyDeviceToHost);
  err = cudaFree(all);
  return err;
}

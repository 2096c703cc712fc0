// CAUSE: The bytes of an array are computed with sizeof(x), the size of a pointer (8), instead of sizeof(*x), the size of a float (4).
// LINES: 53
// REPAIR: line 53: `const size_t bytes = n * sizeof(x);` -> `const size_t bytes = n * sizeof(*x);`
// SYMPTOM: cudaMemcpy reads 8 * n bytes from x and y and writes 8 * n bytes to out: out of bounds in host memory, heap corruption or a crash.

#include "first_kernel.h"

#define THREADS 128

static __device__ __forceinline__ float axpy(float a, float x, float y) { return fmaf(a, x, y); }

static __device__ float clamp(float v, float lo, float hi) {
  return v < lo ? lo : (v > hi ? hi : v);
}

static __global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = axpy(a, x[i], y[i]);
}

static __global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float lo,
                                      float hi, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride)
    out[i] = clamp(axpy(a, x[i], y[i]), lo, hi);
}

static int blocks_of(int n) {
  const int wanted = (n - 1) / THREADS + 1;
  return wanted < 4096 ? wanted : 4096;
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<blocks_of(n), THREADS>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<blocks_of(n), THREADS>>>(x, y, out, a, low, high, n);
}

// Leaves the function through the clean-up as soon as a call fails.
#define TRY(call)                            \
  do {                                       \
    status = (call);                         \
    if (status != cudaSuccess) goto cleanup; \
  } while (0)

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  float* device[3] = {nullptr, nullptr, nullptr};
  cudaError_t status = cudaSuccess;
  const size_t bytes = n * sizeof(x);
  if (n == 0) return cudaSuccess;

  for (int k = 0; k < 3; ++k) TRY(cudaMalloc(&device[k], bytes));
  TRY(cudaMemcpy(device[0], x, bytes, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(device[1], y, bytes, cudaMemcpyHostToDevice));
  saxpy(device[0], device[1], device[2], a, n);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(out, device[2], bytes, cudaMemcpyDeviceToHost));

cleanup:
  for (int k = 0; k < 3; ++k) cudaFree(device[k]);
  return status;
}

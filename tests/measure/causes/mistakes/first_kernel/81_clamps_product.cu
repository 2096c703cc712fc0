// CAUSE: The bounds are applied too early: only the product a * x is kept within low and high, and y is added afterwards, so the result can leave the bounds again (or is cut when it should not be). The clamp has to be the last step.
// LINES: 39
// REPAIR: line 39: `result[idx] = keepInside(scaled, b) + y[idx];` -> `result[idx] = keepInside(scaled + y[idx], b);`
// SYMPTOM: saxpy and saxpy_from_host are right; saxpy_clamped gives wrong values, some of them outside of low..high.

#include "first_kernel.h"

// one thread = one element

namespace {

struct Bounds {
  float lo;
  float hi;
};

__device__ inline float keepInside(float v, Bounds b) {
  if (v < b.lo) {
    return b.lo;
  } else if (v > b.hi) {
    return b.hi;
  }
  return v;
}

__device__ inline int myElement() { return blockDim.x * blockIdx.x + threadIdx.x; }

__global__ void axpy(const float* x, const float* y, float* result, float a, int count) {
  int idx = myElement();
  if (idx >= count) return;
  result[idx] = a * x[idx] + y[idx];
}

__global__ void axpyBounded(const float* x, const float* y, float* result, float a, Bounds b,
                            int count) {
  int idx = myElement();
  if (idx >= count) return;
  float scaled = a * x[idx];
  result[idx] = keepInside(scaled, b) + y[idx];
}

const int THREADS = 128;

int blocksFor(int count) { return (count + THREADS - 1) / THREADS; }

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) {
    axpy<<<blocksFor(n), THREADS>>>(x, y, out, a, n);
  }
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) {
    Bounds b = {low, high};
    axpyBounded<<<blocksFor(n), THREADS>>>(x, y, out, a, b, n);
  }
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  size_t size = sizeof(float) * n;
  float *gx = nullptr, *gy = nullptr, *gout = nullptr;

  cudaError_t status = cudaMalloc(&gx, size);
  if (status == cudaSuccess) status = cudaMalloc(&gy, size);
  if (status == cudaSuccess) status = cudaMalloc(&gout, size);
  if (status == cudaSuccess) status = cudaMemcpy(gx, x, size, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) status = cudaMemcpy(gy, y, size, cudaMemcpyHostToDevice);
  if (status == cudaSuccess) {
    saxpy(gx, gy, gout, a, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = cudaMemcpy(out, gout, size, cudaMemcpyDeviceToHost);

  cudaFree(gx);
  cudaFree(gy);
  cudaFree(gout);
  return status;
}

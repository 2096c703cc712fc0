// CAUSE: fminf and fmaxf are the wrong way round: the larger of the value and the upper bound is never below that bound. The upper bound needs the smaller of the two.
// LINES: 17
// REPAIR: line 17: `return fmaxf(high, fminf(low, value));` -> `return fminf(high, fmaxf(low, value));`
// SYMPTOM: saxpy_clamped returns high for every element.

#include "first_kernel.h"

namespace {

template <typename Function>
__device__ void at_own_index(int n, Function function) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) function(i);
}

__device__ float keep_within(float value, float low, float high) {
  return fmaxf(high, fminf(low, value));
}

__global__ void plain(const float* x, const float* y, float* out, float a, int n) {
  at_own_index(n, [=](int i) { out[i] = a * x[i] + y[i]; });
}

__global__ void bounded(const float* x, const float* y, float* out, float a, float low, float high,
                        int n) {
  at_own_index(n, [=](int i) { out[i] = keep_within(a * x[i] + y[i], low, high); });
}

constexpr int threads = 128;
int blocks_for(int n) { return (n + threads - 1) / threads; }

struct DeviceArray {
  float* data = nullptr;
  ~DeviceArray() { cudaFree(data); }
  cudaError_t allocate(size_t bytes) { return cudaMalloc(&data, bytes); }
};

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n) plain<<<blocks_for(n), threads>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n) bounded<<<blocks_for(n), threads>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  DeviceArray dx, dy, dout;
  cudaError_t e;
  if ((e = dx.allocate(bytes)) != cudaSuccess) return e;
  if ((e = dy.allocate(bytes)) != cudaSuccess) return e;
  if ((e = dout.allocate(bytes)) != cudaSuccess) return e;
  if ((e = cudaMemcpy(dx.data, x, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) return e;
  if ((e = cudaMemcpy(dy.data, y, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) return e;
  saxpy(dx.data, dy.data, dout.data, a, n);
  if ((e = cudaGetLastError()) != cudaSuccess) return e;
  return cudaMemcpy(out, dout.data, bytes, cudaMemcpyDeviceToHost);
}

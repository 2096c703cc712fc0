// CAUSE: The macro returns as soon as a call fails, so what has been allocated before stays allocated. It should go to the end, where everything is freed.
// LINES: 37
// REPAIR: line 37: `return error;` -> `goto done;`
// SYMPTOM: Device memory stays allocated if the second allocation or a copy fails.

#include <initializer_list>

#include "first_kernel.h"

namespace {

constexpr int block = 256;

template <class Transform>
__device__ void each(const float* x, const float* y, float* out, float a, int n, Transform f) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i >= n) return;
  out[i] = f(a * x[i] + y[i]);
}

__global__ void plain(const float* x, const float* y, float* out, float a, int n) {
  each(x, y, out, a, n, [](float v) { return v; });
}

__global__ void bounded(const float* x, const float* y, float* out, float a, float low, float high,
                        int n) {
  each(x, y, out, a, n, [=](float v) { return v < low ? low : v > high ? high : v; });
}

int blocks(int n) { return (n + block - 1) / block; }

}  // namespace

#define TRY(call)                       \
  do {                                  \
    error = (call);                     \
    if (error != cudaSuccess) return error; \
  } while (false)

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) plain<<<blocks(n), block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) bounded<<<blocks(n), block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  cudaError_t error = cudaSuccess;
  float* array[3] = {};
  const size_t size = sizeof(float) * n;
  if (n <= 0) return error;
  for (float*& one : array) TRY(cudaMalloc(&one, size));
  TRY(cudaMemcpy(array[0], x, size, cudaMemcpyHostToDevice));
  TRY(cudaMemcpy(array[1], y, size, cudaMemcpyHostToDevice));
  saxpy(array[0], array[1], array[2], a, n);
  TRY(cudaGetLastError());
  TRY(cudaMemcpy(out, array[2], size, cudaMemcpyDeviceToHost));
done:
  for (float* one : array) cudaFree(one);
  return error;
}

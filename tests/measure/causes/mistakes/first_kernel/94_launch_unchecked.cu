// CAUSE: Nobody asks whether the launch in saxpy worked. A launch returns nothing, so cudaGetLastError() has to follow it, before the copy back.
// LINES: 62
// REPAIR: before line 62: add `error = cudaGetLastError();`
// SYMPTOM: When the launch fails, saxpy_from_host copies an array that nobody wrote and returns cudaSuccess.

#include "first_kernel.h"

namespace {

struct Identity {
  __device__ float operator()(float value) const { return value; }
};

struct Clamp {
  float low, high;
  __device__ float operator()(float value) const {
    if (value < low) return low;
    return value > high ? high : value;
  }
};

template <class Finish>
__global__ void combine(const float* x, const float* y, float* out, float a, int n,
                        Finish finish) {
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) {
    out[i] = finish(a * x[i] + y[i]);
  }
}

template <class Finish>
void launch(const float* x, const float* y, float* out, float a, int n, Finish finish) {
  if (n == 0) return;
  int blocks = (n + 255) / 256;
  if (blocks > 1024) blocks = 1024;
  combine<<<blocks, 256>>>(x, y, out, a, n, finish);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  launch(x, y, out, a, n, Identity{});
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  launch(x, y, out, a, n, Clamp{low, high});
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  const size_t bytes = n * sizeof(float);
  float* d[3] = {nullptr, nullptr, nullptr};
  const float* host[2] = {x, y};

  cudaError_t error = cudaSuccess;
  for (int k = 0; k < 3 && error == cudaSuccess; ++k) error = cudaMalloc(&d[k], bytes);
  for (int k = 0; k < 2 && error == cudaSuccess; ++k) {
    error = cudaMemcpy(d[k], host[k], bytes, cudaMemcpyHostToDevice);
  }
  if (error == cudaSuccess) {
    saxpy(d[0], d[1], d[2], a, n);
  }
  if (error == cudaSuccess) error = cudaMemcpy(out, d[2], bytes, cudaMemcpyDeviceToHost);
  for (float* array : d) cudaFree(array);
  return error;
}

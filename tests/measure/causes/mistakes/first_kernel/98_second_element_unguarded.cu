// CAUSE: Each thread does two elements, a block width apart, but the guard of the second one tests the index of the first one.
// LINES: 35
// REPAIR: line 35: `if (first < n) out[second] = finish(a * x[second] + y[second]);` -> `if (second < n) out[second] = finish(a * x[second] + y[second]);`
// SYMPTOM: In the last block, elements past n are read from x and y and written to out, whenever n is not a multiple of 512.

#include "first_kernel.h"

// Each thread makes two results. They are blockDim.x apart, so neighbors in a warp stay neighbors
// in memory for both of them.

namespace {

constexpr int block = 256;
constexpr int per_block = 2 * block;

struct Identity {
  __device__ float operator()(float value) const { return value; }
};

__device__ float clamp(float value, float low, float high) {
  return fminf(fmaxf(value, low), high);
}

struct Clamp {
  float low, high;
  __device__ float operator()(float value) const { return clamp(value, low, high); }
};

template <typename Finish>
__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n,
                             Finish finish) {
  const int first = blockIdx.x * per_block + threadIdx.x;
  const int second = first + block;
  if (first < n) out[first] = finish(a * x[first] + y[first]);
  if (first < n) out[second] = finish(a * x[second] + y[second]);
}

template <typename Finish>
void run(const float* x, const float* y, float* out, float a, int n, Finish finish) {
  if (n == 0) return;
  const int blocks = (n + per_block - 1) / per_block;
  saxpy_kernel<Finish><<<blocks, block>>>(x, y, out, a, n, finish);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  run(x, y, out, a, n, Identity{});
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  run(x, y, out, a, n, Clamp{low, high});
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  const size_t bytes = n * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr, *d_out = nullptr;

  auto work = [&]() -> cudaError_t {
    cudaError_t e;
    if ((e = cudaMalloc(&d_x, bytes)) != cudaSuccess) return e;
    if ((e = cudaMalloc(&d_y, bytes)) != cudaSuccess) return e;
    if ((e = cudaMalloc(&d_out, bytes)) != cudaSuccess) return e;
    if ((e = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) return e;
    if ((e = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) return e;
    saxpy(d_x, d_y, d_out, a, n);
    if ((e = cudaGetLastError()) != cudaSuccess) return e;
    return cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);
  };

  const cudaError_t result = work();
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_out);
  return result;
}

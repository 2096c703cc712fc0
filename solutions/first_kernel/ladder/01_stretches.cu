// Step 1: each thread takes 32 elements in a row, as a thread of a CPU would. This is the baseline.
//
// At any time the 32 lanes of a warp are 128 bytes apart. One load of a warp touches 32 sectors of
// 32 bytes, and uses 4 bytes of each: 8 bytes move for each byte that is asked for.
//
// Misses: memory

#include "first_kernel.h"

namespace {

constexpr int block = 128;
constexpr int per_thread = 32;

__device__ float clamp(float value, float low, float high) {
  return value < low ? low : value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const long long first = (blockIdx.x * static_cast<long long>(block) + threadIdx.x) * per_thread;
  for (long long i = first; i < first + per_thread && i < n; ++i) {
    out[i] = clamp(a * x[i] + y[i], low, high);
  }
}

}  // namespace

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  constexpr int share = block * per_thread;
  if (n > 0) clamped_kernel<<<(n - 1) / share + 1, block>>>(x, y, out, a, low, high, n);
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  const float unbounded = 3.4e38f;
  saxpy_clamped(x, y, out, a, -unbounded, unbounded, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  float* device = nullptr;  // x, y and out, one after the other
  const size_t length = static_cast<size_t>(n), bytes = length * sizeof(float);
  cudaError_t error = cudaMalloc(&device, 3 * bytes);
  if (!error) error = cudaMemcpy(device, x, bytes, cudaMemcpyHostToDevice);
  if (!error) error = cudaMemcpy(device + length, y, bytes, cudaMemcpyHostToDevice);
  if (!error) saxpy(device, device + length, device + 2 * length, a, n);
  if (!error) error = cudaGetLastError();
  if (!error) error = cudaMemcpy(out, device + 2 * length, bytes, cudaMemcpyDeviceToHost);
  cudaFree(device);
  return error;
}

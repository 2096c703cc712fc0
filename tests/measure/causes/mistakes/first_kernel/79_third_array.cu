// CAUSE: The size of the third array is given in elements, but cudaMalloc counts bytes.
// LINES: 68
// REPAIR: error = cudaMalloc(&device.out, bytes);
// SYMPTOM: The array for the result is four times too small: the kernel writes past its end, and the copy reads past it.

#include "first_kernel.h"

namespace {

constexpr int block = 256;
constexpr int most_blocks = 1024;

int blocks_for(int n) {
  const int blocks = (n - 1) / block + 1;
  return blocks < most_blocks ? blocks : most_blocks;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[i] = a * x[i] + y[i];
  }
}

__device__ float clamp(float value, float low, float high) {
  return value < low ? low : (value > high ? high : value);
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    out[i] = clamp(a * x[i] + y[i], low, high);
  }
}

// Three arrays on the device, freed when they go out of scope.
struct Arrays {
  float* x = nullptr;
  float* y = nullptr;
  float* out = nullptr;
  ~Arrays() {
    cudaFree(x);
    cudaFree(y);
    cudaFree(out);
  }
};

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) saxpy_kernel<<<blocks_for(n), block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) clamped_kernel<<<blocks_for(n), block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  Arrays device;
  const size_t bytes = static_cast<size_t>(n) * sizeof(float);

  cudaError_t error = cudaMalloc(&device.x, bytes);
  if (error != cudaSuccess) return error;
  error = cudaMalloc(&device.y, bytes);
  if (error != cudaSuccess) return error;
  error = cudaMalloc(&device.out, n);
  if (error != cudaSuccess) return error;

  error = cudaMemcpy(device.x, x, bytes, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) return error;
  error = cudaMemcpy(device.y, y, bytes, cudaMemcpyHostToDevice);
  if (error != cudaSuccess) return error;

  saxpy(device.x, device.y, device.out, a, n);
  error = cudaGetLastError();
  if (error != cudaSuccess) return error;

  return cudaMemcpy(out, device.out, bytes, cudaMemcpyDeviceToHost);
}

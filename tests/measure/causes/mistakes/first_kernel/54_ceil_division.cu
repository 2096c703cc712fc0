// CAUSE: n / threads is an integer division, already rounded down when ceil sees it, so saxpy_clamped launches no block for the last n % 256 elements. And saxpy_from_host frees d_x twice and never d_y.
// LINES: 45, 69
// REPAIR: line 45: `const int blocks = (int)std::ceil(n / threads);` -> `const int blocks = (int)std::ceil(n / (double)threads);`; line 69: `cudaFree(d_x);` -> `cudaFree(d_y);`
// SYMPTOM: The last n % 256 elements of saxpy_clamped are not written (no launch at all or a launch error for 0 < n < 256); saxpy_from_host returns with one array allocated and frees another twice.
#include <cmath>

#include "first_kernel.h"

namespace {

const int threads = 256;

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float result = a * x[i];
    result += y[i];
    out[i] = clamp(result, low, high);
  }
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n > 0) {
    const int blocks = (int)std::ceil(n / (double)threads);
    saxpy_kernel<<<blocks, threads>>>(x, y, out, a, n);
  }
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n > 0) {
    const int blocks = (int)std::ceil(n / threads);
    clamped_kernel<<<blocks, threads>>>(x, y, out, a, low, high, n);
  }
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  size_t bytes = (size_t)n * sizeof(float);
  float* d_x = 0;
  float* d_y = 0;
  float* d_out = 0;
  cudaError_t err;

  if ((err = cudaMalloc(&d_x, bytes)) != cudaSuccess) goto end;
  if ((err = cudaMalloc(&d_y, bytes)) != cudaSuccess) goto end;
  if ((err = cudaMalloc(&d_out, bytes)) != cudaSuccess) goto end;
  if ((err = cudaMemcpy(d_x, x, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto end;
  if ((err = cudaMemcpy(d_y, y, bytes, cudaMemcpyHostToDevice)) != cudaSuccess) goto end;
  saxpy(d_x, d_y, d_out, a, n);
  if ((err = cudaGetLastError()) != cudaSuccess) goto end;
  err = cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost);

end:
  cudaFree(d_x);
  cudaFree(d_x);
  cudaFree(d_out);
  return err;
}

// CAUSE: If the second allocation fails, the function returns at once and never frees the first array. It has to go on to the end, where everything is freed.
// LINES: 47
// REPAIR: line 47: `if (status != cudaSuccess) return status;` -> `if (status != cudaSuccess) goto done;`
// SYMPTOM: An array is left allocated when the second cudaMalloc fails.

#include "first_kernel.h"

#define THREADS 192
#define BLOCKS(count) (((count) + THREADS - 1) / THREADS)

static __global__ void axpy(const float* px, const float* py, float* po, float a, int count) {
  int k = blockIdx.x * THREADS + threadIdx.x;
  if (k >= count) return;
  po[k] = a * px[k] + py[k];
}

static __device__ float limit(float v, float lo, float hi) {
  return v < lo ? lo : v > hi ? hi : v;
}

static __global__ void axpy_limited(const float* px, const float* py, float* po, float a,
                                    float lo, float hi, int count) {
  int k = blockIdx.x * THREADS + threadIdx.x;
  if (k >= count) return;
  po[k] = limit(a * px[k] + py[k], lo, hi);
}

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  axpy<<<BLOCKS(n), THREADS>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  axpy_limited<<<BLOCKS(n), THREADS>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  float *gx = nullptr, *gy = nullptr, *go = nullptr;
  const size_t size = sizeof(float) * n;
  cudaError_t status;

  status = cudaMalloc(&gx, size);
  if (status != cudaSuccess) goto done;
  status = cudaMalloc(&gy, size);
  if (status != cudaSuccess) return status;
  status = cudaMalloc(&go, size);
  if (status != cudaSuccess) goto done;

  status = cudaMemcpy(gx, x, size, cudaMemcpyHostToDevice);
  if (status != cudaSuccess) goto done;
  status = cudaMemcpy(gy, y, size, cudaMemcpyHostToDevice);
  if (status != cudaSuccess) goto done;

  saxpy(gx, gy, go, a, n);
  status = cudaGetLastError();
  if (status != cudaSuccess) goto done;
  status = cudaMemcpy(out, go, size, cudaMemcpyDeviceToHost);

done:
  cudaFree(go);
  cudaFree(gy);
  cudaFree(gx);
  return status;
}

// CAUSE: Each block handles blockDim.x * PER elements, but its first element is computed as if it handled only blockDim.x. The blocks overlap, and the last three quarters of the array are never computed.
// LINES: 22
// REPAIR: line 22: `int base = blockIdx.x * blockDim.x;` -> `int base = blockIdx.x * blockDim.x * PER;`
// SYMPTOM: Right up to 512 elements (one block); for larger n the elements towards the end are not written, and others are written by several blocks.

#include "first_kernel.h"

#define PER 4  // elements of each thread

namespace {

const int tpb = 128;

__device__ float bounded(float t, float low, float high) {
  t = t < low ? low : t;
  return t > high ? high : t;
}

// the first element of this thread; the next ones are tpb further on, so that neighbors stay
// neighbors
__device__ int start_of_thread() {
  int base = blockIdx.x * blockDim.x;
  return base + threadIdx.x;
}

__global__ void k_saxpy(const float* x, const float* y, float* out, float a, int n) {
  int i = start_of_thread();
  for (int r = 0; r < PER; r++) {
    if (i < n) out[i] = a * x[i] + y[i];
    i += tpb;
  }
}

__global__ void k_saxpy_clamped(const float* x, const float* y, float* out, float a, float low,
                                float high, int n) {
  int i = start_of_thread();
  for (int r = 0; r < PER; r++) {
    if (i < n) out[i] = bounded(a * x[i] + y[i], low, high);
    i += tpb;
  }
}

int how_many_blocks(int n) {
  const int share = tpb * PER;
  int blocks = n / share;
  if (n % share != 0) blocks++;
  return blocks;
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  int blocks = how_many_blocks(n);
  if (blocks > 0) k_saxpy<<<blocks, tpb>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  int blocks = how_many_blocks(n);
  if (blocks > 0) k_saxpy_clamped<<<blocks, tpb>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  float* d[3] = {nullptr, nullptr, nullptr};
  const size_t bytes = n * sizeof(float);
  cudaError_t err = cudaSuccess;
  for (int k = 0; k < 3 && err == cudaSuccess; k++) err = cudaMalloc(&d[k], bytes);
  if (err == cudaSuccess) err = cudaMemcpy(d[0], x, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) err = cudaMemcpy(d[1], y, bytes, cudaMemcpyHostToDevice);
  if (err == cudaSuccess) {
    saxpy(d[0], d[1], d[2], a, n);
    err = cudaGetLastError();
  }
  if (err == cudaSuccess) err = cudaMemcpy(out, d[2], bytes, cudaMemcpyDeviceToHost);
  for (int k = 0; k < 3; k++) cudaFree(d[k]);
  return err;
}

// CAUSE: the copy back to the host gets the number of floats as its size, not the number of bytes
// LINES: 45
// REPAIR: count * sizeof(float)
// GOOD HINT: In what unit does cudaMemcpy want its size? Which part of out do you get with n of them?
// SYMPTOM: the last three quarters of out are never written by saxpy_from_host

#include "first_kernel.h"

// y = a*x + y for everyone
template <bool clamped>
__global__ void axpy(const float* xs, const float* ys, float* result, float factor, float lo, float hi,
                     int count) {
  int id = threadIdx.x + blockDim.x * blockIdx.x;
  if (id >= count)
    return;
  float r = factor * xs[id] + ys[id];
  if (clamped) {
    if (r < lo) r = lo;
    if (r > hi) r = hi;
  }
  result[id] = r;
}

static int numBlocks(int count, int threads) { return (count - 1) / threads + 1; }

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  axpy<false><<<numBlocks(n, 128), 128>>>(x, y, out, a, 0, 0, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high, int n) {
  if (n == 0) return;
  axpy<true><<<numBlocks(n, 128), 128>>>(x, y, out, a, low, high, n);
}

// new array on the device, filled from `host` unless that is null
static cudaError_t upload(float** device, const float* host, int count) {
  cudaError_t status = cudaMalloc(device, count * sizeof(float));
  if (status == cudaSuccess && host != nullptr)
    status = cudaMemcpy(*device, host, count * sizeof(float), cudaMemcpyHostToDevice);
  return status;
}

static cudaError_t download(float* host, const float* device, int count) {
  return cudaMemcpy(host, device, count, cudaMemcpyDeviceToHost);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  float *dx = nullptr, *dy = nullptr, *d_result = nullptr;
  cudaError_t status = upload(&dx, x, n);
  if (status == cudaSuccess) status = upload(&dy, y, n);
  if (status == cudaSuccess) status = upload(&d_result, nullptr, n);
  if (status == cudaSuccess) {
    saxpy(dx, dy, d_result, a, n);
    status = cudaGetLastError();
  }
  if (status == cudaSuccess) status = download(out, d_result, n);
  cudaFree(d_result);
  cudaFree(dy);
  cudaFree(dx);
  return status;
}

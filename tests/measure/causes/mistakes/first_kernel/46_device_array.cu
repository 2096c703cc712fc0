// CAUSE: allocate() gets a number of floats, but passes it to cudaMalloc as a number of bytes.
// LINES: 18
// REPAIR: line 18: `return cudaMalloc(&data, count);` -> `return cudaMalloc(&data, count * sizeof(float));`
// SYMPTOM: The device arrays are a quarter of the size they need: the copies to the device write past their end (reported as out of bounds, or an error of cudaMemcpy), for every n > 0.
#include "first_kernel.h"

namespace {

constexpr unsigned block = 256;

// An array of floats on the device.
struct DeviceArray {
  float* data = nullptr;
  size_t count = 0;

  cudaError_t allocate(size_t floats) {
    count = floats;
    return cudaMalloc(&data, count);
  }
  cudaError_t fill_from(const float* host) {
    return cudaMemcpy(data, host, count * sizeof(float), cudaMemcpyHostToDevice);
  }
  cudaError_t copy_to(float* host) const {
    return cudaMemcpy(host, data, count * sizeof(float), cudaMemcpyDeviceToHost);
  }
  cudaError_t release() {
    float* old = data;
    data = nullptr;
    return cudaFree(old);
  }
};

__device__ float plain(float a, float x, float y) { return a * x + y; }

__device__ float between(float low, float value, float high) {
  if (value < low) value = low;
  if (value > high) value = high;
  return value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = plain(a, x[i], y[i]);
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = between(low, plain(a, x[i], y[i]), high);
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n) saxpy_kernel<<<(n + block - 1) / block, block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n) clamped_kernel<<<(n + block - 1) / block, block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  DeviceArray dx, dy, dout;
  cudaError_t error = dx.allocate(n);
  if (!error) error = dy.allocate(n);
  if (!error) error = dout.allocate(n);
  if (!error) error = dx.fill_from(x);
  if (!error) error = dy.fill_from(y);
  if (!error) {
    saxpy(dx.data, dy.data, dout.data, a, n);
    error = cudaGetLastError();
  }
  if (!error) error = dout.copy_to(out);

  for (DeviceArray* array : {&dx, &dy, &dout}) {
    const cudaError_t freed = array->release();
    if (!error) error = freed;
  }
  return error;
}

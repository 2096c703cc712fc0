// CAUSE: The return value of the copy from the device to out is not stored, so neither its own error nor one that the kernel had is returned.
// LINES: 78
// REPAIR: line 78: `if (error == cudaSuccess) device_out.download(out, n);` -> `if (error == cudaSuccess) error = device_out.download(out, n);`
// SYMPTOM: When the last cudaMemcpy fails, saxpy_from_host returns cudaSuccess although out is not complete.

#include "first_kernel.h"

namespace {

constexpr int block = 256;

__device__ float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  out[i] = a * x[i] + y[i];
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockDim.x * blockIdx.x + threadIdx.x;
  if (i >= n) return;
  out[i] = clamp(a * x[i] + y[i], low, high);
}

int divide_up(int a, int b) { return (a + b - 1) / b; }

// Owns an array in device memory, and frees it at the end of its scope.
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;
  ~DeviceArray() { cudaFree(data_); }

  cudaError_t allocate(int n) { return cudaMalloc(&data_, n * sizeof(float)); }
  cudaError_t upload(const float* from, int n) {
    return cudaMemcpy(data_, from, n * sizeof(float), cudaMemcpyHostToDevice);
  }
  cudaError_t download(float* to, int n) const {
    return cudaMemcpy(to, data_, n * sizeof(float), cudaMemcpyDeviceToHost);
  }
  float* get() const { return data_; }

 private:
  float* data_ = nullptr;
};

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n < 1) return;
  saxpy_kernel<<<divide_up(n, block), block>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n < 1) return;
  clamped_kernel<<<divide_up(n, block), block>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n < 1) return cudaSuccess;
  DeviceArray device_x, device_y, device_out;
  cudaError_t error = device_x.allocate(n);
  if (error == cudaSuccess) error = device_y.allocate(n);
  if (error == cudaSuccess) error = device_out.allocate(n);
  if (error == cudaSuccess) error = device_x.upload(x, n);
  if (error == cudaSuccess) error = device_y.upload(y, n);
  if (error == cudaSuccess) {
    saxpy(device_x.get(), device_y.get(), device_out.get(), a, n);
    error = cudaGetLastError();
  }
  if (error == cudaSuccess) device_out.download(out, n);
  return error;
}

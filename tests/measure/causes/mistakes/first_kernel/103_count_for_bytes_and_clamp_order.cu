// CAUSE: (1) The bounds change places in the clamp: each result becomes `low`, or is kept above `high`. (2) An array is allocated with n bytes, not n floats.
// LINES: 13 33
// REPAIR: line 13: `return fminf(fmaxf(value, high), low);` -> `return fminf(fmaxf(value, low), high);`; line 33: `cudaError_t allocate(int n) { return cudaMalloc(&data_, n); }` -> `cudaError_t allocate(int n) { return cudaMalloc(&data_, n * sizeof(float)); }`
// SYMPTOM: (1) saxpy_clamped yields the wrong values. (2) The copies reach past the end of the allocated arrays.

#include "first_kernel.h"

namespace {

constexpr int block = 256;

__device__ float keep_within(float value, float low, float high) {
  return fminf(fmaxf(value, high), low);
}

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = fmaf(a, x[i], y[i]);
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = keep_within(fmaf(a, x[i], y[i]), low, high);
}

// Device memory that is freed when its scope ends.
class Array {
 public:
  Array() = default;
  Array(const Array&) = delete;
  ~Array() { cudaFree(data_); }
  cudaError_t allocate(int n) { return cudaMalloc(&data_, n); }
  float* data() { return data_; }

 private:
  float* data_ = nullptr;
};

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
  Array dx, dy, dout;
  for (Array* array : {&dx, &dy, &dout}) {
    if (cudaError_t e = array->allocate(n)) return e;
  }
  const size_t bytes = size_t(n) * sizeof(float);
  if (cudaError_t e = cudaMemcpy(dx.data(), x, bytes, cudaMemcpyHostToDevice)) return e;
  if (cudaError_t e = cudaMemcpy(dy.data(), y, bytes, cudaMemcpyHostToDevice)) return e;
  saxpy(dx.data(), dy.data(), dout.data(), a, n);
  if (cudaError_t e = cudaGetLastError()) return e;
  return cudaMemcpy(out, dout.data(), bytes, cudaMemcpyDeviceToHost);
}

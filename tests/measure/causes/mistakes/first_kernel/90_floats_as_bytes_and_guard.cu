// CAUSE: The result is copied back with the number of elements instead of bytes, so three quarters of it never arrive. And the guard of clamp_all lets one thread too many pass.
// LINES: 25 40
// REPAIR: line 25: `i > length)` -> `i >= length)`; line 40: `n,` -> `n * sizeof(float),`
// SYMPTOM: saxpy_from_host leaves the end of out unwritten; saxpy_clamped reads and writes element n.

#include <initializer_list>

#include "first_kernel.h"

static constexpr unsigned kWidth = 128;

static __host__ __device__ unsigned index_of(unsigned group, unsigned member) {
  return group * kWidth + member;
}

static __global__ void axpy(const float* __restrict__ x, const float* __restrict__ y,
                            float* __restrict__ out, float a, unsigned length) {
  const unsigned i = index_of(blockIdx.x, threadIdx.x);
  if (i < length) out[i] = fmaf(a, x[i], y[i]);
}

static __global__ void clamp_all(const float* x, const float* y, float* out, float a, float2 range,
                                 unsigned length) {
  const unsigned i = index_of(blockIdx.x, threadIdx.x);
  if (i > length) return;
  const float raw = a * x[i] + y[i];
  const float lifted = raw < range.x ? range.x : raw;
  out[i] = lifted > range.y ? range.y : lifted;
}

namespace {
class DeviceArray {
 public:
  ~DeviceArray() { cudaFree(data_); }
  cudaError_t allocate(int n) { return cudaMalloc(&data_, n * sizeof(float)); }
  cudaError_t load(const float* host, int n) {
    return cudaMemcpy(data_, host, n * sizeof(float), cudaMemcpyHostToDevice);
  }
  cudaError_t save(float* host, int n) const {
    return cudaMemcpy(host, data_, n, cudaMemcpyDeviceToHost);
  }
  float* data() const { return data_; }

 private:
  float* data_ = nullptr;
};
}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return;
  axpy<<<(n - 1) / kWidth + 1, kWidth>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n == 0) return;
  clamp_all<<<(n - 1) / kWidth + 1, kWidth>>>(x, y, out, a, make_float2(low, high), n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n == 0) return cudaSuccess;
  DeviceArray left, right, result;
  for (DeviceArray* array : {&left, &right, &result})
    if (const cudaError_t e = array->allocate(n)) return e;
  if (const cudaError_t e = left.load(x, n)) return e;
  if (const cudaError_t e = right.load(y, n)) return e;
  saxpy(left.data(), right.data(), result.data(), a, n);
  if (const cudaError_t e = cudaGetLastError()) return e;
  return result.save(out, n);
}

// Errors are exceptions with a text, and device memory belongs to unique_ptr.
// Lab: first_kernel
// Verdict: graded
// Earns: everything

#include <cuda_runtime_api.h>

#include <iterator>
#include <memory>
#include <stdexcept>
#include <string>

#include "first_kernel.h"
namespace {
struct CudaError : std::runtime_error {
  CudaError(cudaError_t code, const char* what)
      : std::runtime_error(std::string(what) + ": " + cudaGetErrorString(code)), code(code) {}
  cudaError_t code;
};
#define CUDA(call)                                           \
  do {                                                       \
    const cudaError_t code_ = (call);                        \
    if (code_ != cudaSuccess) throw CudaError(code_, #call); \
  } while (0)
struct Deleter {
  void operator()(float* p) const { cudaFree(p); }
};
using Buffer = std::unique_ptr<float[], Deleter>;
Buffer allocate(int n) {
  float* p;
  CUDA(cudaMalloc(&p, n * sizeof(float)));
  return Buffer(p);
}
__global__ void plain(const float* x, const float* y, float* out, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a * x[i] + y[i];
}
__global__ void clamped(const float* x, const float* y, float* out, float a, float2 bounds, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = min(max(a * x[i] + y[i], bounds.x), bounds.y);
}
}  // namespace
void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n) plain<<<(n + 511) / 512, 512>>>(x, y, out, a, n);
}
void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n) clamped<<<(n + 511) / 512, 512>>>(x, y, out, a, {low, high}, n);
}
cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) try {
  if (n == 0) return cudaSuccess;
  const std::size_t bytes = n * sizeof(float);
  const Buffer buffers[] = {allocate(n), allocate(n), allocate(n)};
  static_assert(std::size(buffers) == 3);
  CUDA(cudaMemcpy(buffers[0].get(), x, bytes, cudaMemcpyHostToDevice));
  CUDA(cudaMemcpy(buffers[1].get(), y, bytes, cudaMemcpyHostToDevice));
  saxpy(buffers[0].get(), buffers[1].get(), buffers[2].get(), a, n);
  CUDA(cudaGetLastError());
  CUDA(cudaMemcpy(out, buffers[2].get(), bytes, cudaMemcpyDeviceToHost));
  return cudaSuccess;
} catch (const CudaError& error) {
  return error.code;
}

// CAUSE: The size of an element is taken as sizeof(dev_x), which is the size of the pointer (8 bytes), not of a float (4 bytes). Every allocation and copy is twice as long as it should be, so the copies reach past the end of the host arrays.
// LINES: 58
// REPAIR: line 58: `const size_t nbytes = static_cast<size_t>(n) * sizeof(dev_x);` -> `const size_t nbytes = static_cast<size_t>(n) * sizeof(*dev_x);`
// SYMPTOM: saxpy_from_host reads and writes memory behind the host arrays x, y and out (or crashes); the other functions are right.

#include "first_kernel.h"

namespace {

const int nthreads = 256;

__device__ float clip(float val, float mn, float mx) {
  if (val > mx) val = mx;
  if (val < mn) val = mn;
  return val;
}

__global__ void kernel_plain(const float* x, const float* y, float* out, float a, int n) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid < n) {
    float xi = x[tid];
    float yi = y[tid];
    out[tid] = a * xi + yi;
  }
}

__global__ void kernel_clip(const float* x, const float* y, float* out, float a, float mn, float mx,
                            int n) {
  int tid = threadIdx.x + blockIdx.x * blockDim.x;
  if (tid < n) {
    float xi = x[tid];
    float yi = y[tid];
    out[tid] = clip(a * xi + yi, mn, mx);
  }
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  if (n < 1) return;
  int nblocks = (n - 1) / nthreads + 1;
  kernel_plain<<<nblocks, nthreads>>>(x, y, out, a, n);
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  if (n < 1) return;
  int nblocks = (n - 1) / nthreads + 1;
  kernel_clip<<<nblocks, nthreads>>>(x, y, out, a, low, high, n);
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  if (n < 1) return cudaSuccess;

  float* dev_x = nullptr;
  float* dev_y = nullptr;
  float* dev_out = nullptr;
  const size_t nbytes = static_cast<size_t>(n) * sizeof(dev_x);
  cudaError_t result;

  // do { } while (false): break = stop at the first error
  do {
    result = cudaMalloc(&dev_x, nbytes);
    if (result != cudaSuccess) break;
    result = cudaMalloc(&dev_y, nbytes);
    if (result != cudaSuccess) break;
    result = cudaMalloc(&dev_out, nbytes);
    if (result != cudaSuccess) break;
    result = cudaMemcpy(dev_x, x, nbytes, cudaMemcpyHostToDevice);
    if (result != cudaSuccess) break;
    result = cudaMemcpy(dev_y, y, nbytes, cudaMemcpyHostToDevice);
    if (result != cudaSuccess) break;
    saxpy(dev_x, dev_y, dev_out, a, n);
    result = cudaGetLastError();
    if (result != cudaSuccess) break;
    result = cudaMemcpy(out, dev_out, nbytes, cudaMemcpyDeviceToHost);
  } while (false);

  cudaFree(dev_x);
  cudaFree(dev_y);
  cudaFree(dev_out);
  return result;
}

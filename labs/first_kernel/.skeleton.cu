// Lab `first_kernel`: out[i] = a * x[i] + y[i], one thread per element. first_kernel.h documents
// the functions, README.md explains the steps.

#include "first_kernel.h"

namespace {

constexpr int block = 256;  // threads per block

__global__ void saxpy_kernel(const float* x, const float* y, float* out, float a, int n) {
  // TODO 2: Compute the index i of this thread's element. Store a * x[i] + y[i], if there is an
  //         element i (2 lines).
  (void)x, (void)y, (void)out, (void)a, (void)n;
}

// TODO 3: Make this a function that kernels can call (1 word), and use it in clamped_kernel, which
//         is otherwise like saxpy_kernel (2 lines). Launch clamped_kernel below (3 lines).
float clamp(float value, float low, float high) {
  if (value < low) return low;
  return value > high ? high : value;
}

__global__ void clamped_kernel(const float* x, const float* y, float* out, float a, float low,
                               float high, int n) {
  (void)x, (void)y, (void)out, (void)a, (void)low, (void)high, (void)n;
}

}  // namespace

void saxpy(const float* x, const float* y, float* out, float a, int n) {
  // TODO 1: Launch saxpy_kernel with enough blocks for n elements; skip it for n = 0 (3 lines).
  (void)x, (void)y, (void)out, (void)a, (void)n, (void)saxpy_kernel;
}

void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n) {
  (void)x, (void)y, (void)out, (void)a, (void)low, (void)high, (void)n;
  (void)clamp, (void)clamped_kernel;
}

cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n) {
  // TODO 4: Allocate three arrays in device memory, and copy x and y into two of them (6 lines).

  // TODO 5: Call saxpy() with the device's arrays, copy the result to out, and free all three
  //         (5 lines).

  // TODO 6: Stop at the first of these calls that returns an error, free what there is, and
  //         return that error. Ask for the launch's, too (changes 6 lines, adds 2).
  (void)x, (void)y, (void)out, (void)a, (void)n;
  return cudaSuccess;
}

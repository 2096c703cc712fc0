// In multiply_add, a thread has eight chains that do not wait for each other, which is enough for a
// scheduler to issue an instruction in each cycle. The loop adds a counter and a branch per 256
// multiply-adds.

#include "peaks/peaks.h"

namespace {

constexpr int chains = 8;

__global__ void multiply_add_kernel(float* out, float one, float zero) {
  const int i = blockIdx.x * fma_block + threadIdx.x;
  float value[chains];
  for (int c = 0; c < chains; ++c) value[c] = static_cast<float>(i);
#pragma unroll 32
  for (int step = 0; step < fma_steps / chains; ++step) {
#pragma unroll
    for (int c = 0; c < chains; ++c) value[c] = fmaf(value[c], one, zero);
  }
  // All chains hold the same number, but the compiler cannot know that.
  float greatest = value[0];
  for (int c = 1; c < chains; ++c) greatest = fmaxf(greatest, value[c]);
  out[i] = greatest;
}

}  // namespace

void copy(const int* in, int* out, int n) {
  cudaMemcpyAsync(out, in, n * sizeof(int), cudaMemcpyDeviceToDevice);
}

void multiply_add(float* out, int n) {
  multiply_add_kernel<<<n / fma_block, fma_block>>>(out, 1, 0);
}

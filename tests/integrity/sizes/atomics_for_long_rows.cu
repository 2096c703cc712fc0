// Adds with float atomics, whose order is not fixed, where there are more than a few blocks.
// Lab: reduction
// Verdict: graded
// Earns: correctness 35, safety 10, memory 10
// Says: the order of the additions

#include "reduction.h"

namespace {

constexpr int few = 80'000;

__global__ void add_in_order(const float* in, float* out, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *out = sum;
}

__global__ void add_piece(const float* in, float* out, int n) {
  const int each = 64;
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  float sum = 0;
  for (int i = first; i < min(n, first + each); ++i) sum += in[i];
  atomicAdd(out, sum);
}

}  // namespace

void sum(const float* in, float* out, float*, int n) {
  if (n <= few) {
    add_in_order<<<1, 1>>>(in, out, n);
    return;
  }
  cudaMemsetAsync(out, 0, sizeof(float));
  add_piece<<<n / (64 * 64) + 1, 64>>>(in, out, n);
}

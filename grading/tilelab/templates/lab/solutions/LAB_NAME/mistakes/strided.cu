// Each thread takes a part of the row, as on a CPU: a warp uses only 4 bytes of each sector.
// In a head, `Test` is the test that fails, `Says` a text that its message contains, and `Task` the
// task whose hint it gets.
// TODO(instructor): write a file for each mistake that you expect; ten is the minimum.
// Test: LAB_NAME's warps use what they move
// Says: sector bytes wasted per useful byte
// Task: 2

#include "LAB_NAME.h"

namespace {

__global__ void scale_kernel(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  const int first = (blockIdx.x * blockDim.x + threadIdx.x) * 16;
  for (int i = first; i < first + 16 && i < n; ++i) out[i] = factor * in[i];
}

}  // namespace

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  if (n > 0) scale_kernel<<<n / 2048 + 1, 128>>>(in, out, factor, n);
}

// Step 1: a thread takes eight elements in a row. Whatever its speed, a step gets all points but
// those for the criteria that its head names:
// Misses: memory
// TODO(instructor): write one file per step, from the naive kernel to the fastest that you know.

#include "LAB_NAME.h"

namespace {

constexpr int block = 256;
constexpr int per_thread = 8;

__global__ void scale_kernel(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  const long long first = (blockIdx.x * static_cast<long long>(block) + threadIdx.x) * per_thread;
  for (long long i = first; i < first + per_thread && i < n; ++i) out[i] = factor * in[i];
}

}  // namespace

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  constexpr int share = block * per_thread;
  if (n > 0) scale_kernel<<<(n - 1) / share + 1, block>>>(in, out, factor, n);
}

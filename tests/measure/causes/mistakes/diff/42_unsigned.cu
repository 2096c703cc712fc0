// CAUSE: i is unsigned, so `i - 1 >= 0` is always true: thread 0 of block 0 loads in[4294967295] as its left neighbor.
// LINES: 18
// REPAIR: line 18: `if (tid == 0 && i - 1 >= 0) part[0] = in[i - 1];` -> `if (tid == 0 && i > 0) part[0] = in[i - 1];`
// SYMPTOM: A stray load far outside `in` by thread 0 of block 0, for every n > 0 (on a GPU an illegal address); the results would be right.
#include "diff.h"

namespace {

constexpr unsigned width = 128;

// The tile has one more slot in front, for the left neighbor of its first element.
__global__ void difference(const int* in, int* out, unsigned n) {
  __shared__ int part[width + 1];
  const unsigned tid = threadIdx.x;
  const unsigned i = blockIdx.x * width + tid;

  if (i < n) part[tid + 1] = in[i];
  if (tid == 0 && i - 1 >= 0) part[0] = in[i - 1];
  __syncthreads();

  if (i < n) {
    if (i == 0) {
      out[i] = part[1];
    } else {
      out[i] = part[tid + 1] - part[tid];
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int blocks = (n + width - 1) / width;
  if (blocks > 0) difference<<<blocks, width>>>(in, out, n);
}

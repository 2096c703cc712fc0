// Reference solution: neighboring threads at neighboring elements, so that access is coalesced.
// TODO(instructor): write what a very good student would. Others are measured against it.

#include "LAB_NAME.h"

namespace {

constexpr int block = 256;

__global__ void scale_kernel(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) out[i] = factor * in[i];
}

}  // namespace

void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n) {
  if (n > 0) scale_kernel<<<(n - 1) / block + 1, block>>>(in, out, factor, n);
}

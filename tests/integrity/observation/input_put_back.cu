// Writes an input while it computes, and puts back what was there.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: Input written
// Says: writes in[0]

#include "diff.h"

namespace {

constexpr int block = 128;

__global__ void subtract(const int* in, int* out, int n) {
  __shared__ int tile[block + 1];
  const int tx = threadIdx.x, i = blockIdx.x * block + tx;
  if (i < n) tile[tx + 1] = in[i];
  if (tx == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  __syncthreads();
  if (i < n) out[i] = tile[tx + 1] - tile[tx];
  if (i > 0) return;
  const_cast<int*>(in)[0] = 0;
  const_cast<int*>(in)[0] = tile[1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) subtract<<<(n + block - 1) / block, block>>>(in, out, n);
}

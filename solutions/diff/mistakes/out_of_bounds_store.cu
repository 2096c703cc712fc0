// The lecture's listing: after the barrier every thread stores, including those past the end. With
// n = 10 and blocks of 4, threads 10 and 11 write past the end of out.
// Test: diff is right for one block and less
// Says: diff wrote past the end of out: at [
// Task: 4

#include "diff.h"

namespace {

constexpr int block = 4;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];
  __syncthreads();
  if (tx > 0) {
    out[i] = tile[tx] - tile[tx - 1];
  } else {
    out[i] = i > 0 ? tile[tx] - in[i - 1] : tile[tx];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

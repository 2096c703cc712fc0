// CAUSE: Thread 0 of every block fetches the element left of its own, but in block 0 there is none: it reads in[-1] and subtracts that from in[0].
// LINES: 18
// REPAIR: if (tid == 0) tile[0] = gid > 0 ? in[gid - 1] : 0;
// SYMPTOM: A read in front of the array (in[-1]), and out[0] is wrong.
#include "diff.h"

namespace {

constexpr int block = 256;

// tile[t + 1] holds the element of thread t, and tile[0] the one before the block's first.
__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block + 1];
  const int tid = threadIdx.x;
  const int gid = blockIdx.x * block + tid;

  if (gid < n) tile[tid + 1] = in[gid];
  if (tid == 0) tile[0] = in[gid - 1];
  __syncthreads();

  if (gid < n) {
    out[gid] = tile[tid + 1] - tile[tid];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

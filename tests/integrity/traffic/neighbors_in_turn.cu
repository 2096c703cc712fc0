// The lanes of a warp take their neighbor from the tile one after the other.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10, memory 10
// Says: wavefronts of shared memory per 32 elements

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block + 1];
  const int i = blockIdx.x * block + threadIdx.x;
  tile[threadIdx.x + 1] = i < n ? in[i] : 0;
  if (threadIdx.x == 0) tile[0] = i > 0 ? in[i - 1] : 0;
  __syncthreads();
  unsigned left = 0;
  for (int turn = 0; turn < 32; ++turn) {
    if (threadIdx.x % 32 == turn) left = tile[threadIdx.x];
    __syncwarp();
  }
  if (i < n) out[i] = static_cast<unsigned>(tile[threadIdx.x + 1]) - left;
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

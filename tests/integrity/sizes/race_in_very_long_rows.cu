// Two threads write the same word in rows that are longer than those of any other test.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: Data race

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  __shared__ int last;
  const int i = blockIdx.x * block + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  if (threadIdx.x == 0 || n > (1 << 20) + 5000) last = static_cast<int>(threadIdx.x);
  __syncthreads();
  if (i >= n) return;
  const int left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = last == -7 ? 0 : static_cast<int>(static_cast<unsigned>(tile[threadIdx.x]) - left);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

// Threads read the tile before all of it is loaded: nothing orders a thread's load after its
// neighbor's store.
// Test: diff is right over many blocks
// Says: The result changes with the order in which the threads run
// Task: 3

#include "diff.h"

namespace {

constexpr int block = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];
  if (i < n) {
    const int left = tx > 0 ? tile[tx - 1] : (i > 0 ? in[i - 1] : 0);
    out[i] = tile[tx] - left;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

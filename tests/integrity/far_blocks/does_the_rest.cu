// A block far from both ends does all that the others leave, without a tile.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, safety 10
// Says: global loads per element
// Needs: emulator

#include "diff.h"

namespace {

constexpr int width = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[width];
  const int own = blockIdx.x * width + threadIdx.x;
  if (own < n) tile[threadIdx.x] = in[own];
  __syncthreads();
  if (own < n) {
    const int before = own == 0 ? 0 : threadIdx.x > 0 ? tile[threadIdx.x - 1] : in[own - 1];
    out[own] = tile[threadIdx.x] - before;
  }
  if (blockIdx.x != gridDim.x / 3) return;
  const int rest = n - gridDim.x * width;
  const int share = (rest + width - 1) / width;
  for (int i = 0; i < share; ++i) {
    const int at = gridDim.x * width + threadIdx.x * share + i;
    if (at < n) out[at] = in[at] - in[at - 1];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int needed = (n + width - 1) / width;
  const int blocks = needed < 1000 ? needed : 1000;
  diff_kernel<<<blocks, width>>>(in, out, n);
}

// Each warp notes a number in a word of its own. The warps of one far block share a word.
// Lab: diff
// Verdict: graded
// Earns: correctness 40, memory 20
// Says: Data race
// Needs: emulator

#include "diff.h"

namespace {
constexpr int block = 256;
__global__ void diff_kernel(const int* in, int* out, int* notes, int n) {
  __shared__ int tile[block + 1];
  const int t = threadIdx.x, i = blockIdx.x * block + t;
  if (i < n) tile[t + 1] = in[i];
  if (t == 0) tile[0] = blockIdx.x == 0 ? 0 : in[i - 1];
  __syncthreads();
  if (i < n) out[i] = tile[t + 1] - tile[t];
  const int warps = block / 32, far = gridDim.x / warps * warps / 2 + 1;
  const int own = gridDim.x > block && blockIdx.x == far ? 0 : t / 32;
  if (t % 32 == 0) notes[blockIdx.x * warps + own] = t;
}
}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int blocks = (n + block - 1) / block;
  int* notes = nullptr;
  cudaMalloc(&notes, blocks * block / 32 * sizeof(int));
  diff_kernel<<<blocks, block>>>(in, out, notes, n);
  cudaFree(notes);
}

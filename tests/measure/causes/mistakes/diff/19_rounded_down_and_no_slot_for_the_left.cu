// CAUSE: two mistakes: the number of blocks is rounded down, and the tile has as many slots as the block has threads, though slot 0 is for the left neighbor, so the last thread stores behind it
// LINES: 15, 30
// REPAIR: (n + N - 1) / N; tile[N + 1]
// GOOD HINT: How many elements do your blocks have in all, if n is 300? And which slot does the last thread of a block fill?
// SYMPTOM: the last elements are not written; a store outside the tile

#include "diff.h"

namespace {

constexpr int N = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  // one slot more than N: slot 0 is the left neighbor of the block
  __shared__ int tile[N];
  const int t = threadIdx.x;
  const int i = blockIdx.x * N + t;

  if (i < n) tile[t + 1] = in[i];
  if (t == 0) tile[0] = i > 0 ? in[i - 1] : 0;

  __syncthreads();

  if (i < n) out[i] = tile[t + 1] - tile[t];
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<n / N, N>>>(in, out, n);
}

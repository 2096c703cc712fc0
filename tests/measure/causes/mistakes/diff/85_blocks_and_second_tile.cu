// CAUSE: Two mistakes. (1) The number of blocks is rounded down (only at least 1), so the elements of the last, partial block are not computed. (2) The test for "there is an element to the left" asks for blockIdx.x > 1 instead of > 0, so the first element of block 1 is treated like element 0.
// LINES: 16 32
// REPAIR: line 16: `if (blockIdx.x > 1) return in[i - 1];` -> `if (blockIdx.x > 0) return in[i - 1];`; line 32: `const int blocks = std::max(1, n / N);` -> `const int blocks = std::max(1, (n + N - 1) / N);`
// SYMPTOM: The last n % 256 elements are not written (n > 256), and out[256] is in[256] itself.

#include <algorithm>

#include "diff.h"

namespace {

constexpr int N = 256;

__device__ int left_of(const int* tile, const int* in, int i) {
  if (threadIdx.x > 0) return tile[threadIdx.x - 1];
  if (blockIdx.x > 1) return in[i - 1];
  return 0;
}

__global__ void run(const int* in, int* out, int n) {
  __shared__ int tile[N];
  const int i = blockIdx.x * N + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] - left_of(tile, in, i);
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  const int blocks = std::max(1, n / N);
  run<<<blocks, N>>>(in, out, n);
}

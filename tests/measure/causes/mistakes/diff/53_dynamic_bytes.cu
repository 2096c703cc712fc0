// CAUSE: The third launch argument is the size of the dynamic shared memory in bytes, but it is given as a number of ints, so the tile has room for a quarter of its elements only.
// LINES: 25
// REPAIR: line 25: `const size_t sharedSize = threadsPerBlock + 1;` -> `const size_t sharedSize = (threadsPerBlock + 1) * sizeof(int);`
// SYMPTOM: Out-of-bounds access to shared memory in every block; with luck the numbers are right anyway.
#include "diff.h"

// The tile has a slot for the left neighbor of the block, in front of its own elements.
__global__ void diffKernel(int* __restrict__ out, const int* __restrict__ in, int n) {
  extern __shared__ int tile[];
  const int t = threadIdx.x;
  const int g = blockDim.x * blockIdx.x + t;

  if (g < n) {
    tile[t + 1] = in[g];
    if (t == 0) tile[0] = g > 0 ? in[g - 1] : 0;
  }
  __syncthreads();
  if (g < n) out[g] = tile[t + 1] - tile[t];
}

void diff(const int* in, int* out, int n) {
  const int threadsPerBlock = 512;
  const int numBlocks = (n + threadsPerBlock - 1) / threadsPerBlock;
  if (numBlocks == 0) return;
  const size_t sharedSize = threadsPerBlock + 1;
  diffKernel<<<numBlocks, threadsPerBlock, sharedSize>>>(out, in, n);
}

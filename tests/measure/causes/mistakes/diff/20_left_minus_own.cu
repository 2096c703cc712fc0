// CAUSE: the difference is taken the wrong way round where the neighbor is in the tile: left minus own, not own minus left
// LINES: 26
// REPAIR: sm[tx] - sm[tx - 1]
// GOOD HINT: Work out out[1] by hand for in = 3, 5. Which of the two is subtracted?
// SYMPTOM: all results have the wrong sign, except the first ones of the blocks

#include "diff.h"

#define BLOCK 512

__global__ void diffShared(const int* input, int* output, int size) {
  __shared__ int sm[BLOCK];

  int tx = threadIdx.x;
  int pos = tx + blockDim.x * blockIdx.x;

  if (pos < size) sm[tx] = input[pos];
  __syncthreads();

  if (pos < size) {
    if (pos == 0) {
      output[0] = sm[0];
    } else if (tx == 0) {
      output[pos] = sm[0] - input[pos - 1];
    } else {
      output[pos] = sm[tx - 1] - sm[tx];
    }
  }
}

void diff(const int* in, int* out, int n) {
  if (n > 0) {
    int numBlocks = (n + BLOCK - 1) / BLOCK;
    diffShared<<<numBlocks, BLOCK>>>(in, out, n);
  }
}

// CAUSE: The additions of a round are spread over the block (every second thread, then every fourth), so all warps stay busy with few active lanes, instead of the first threads adding the second half of the tile.
// LINES: 24 25
// REPAIR: for (int s = BLOCK / 2; s > 0; s /= 2) { and if (tid < s) {
// SYMPTOM: Results are right, but the memory criterion fails: 18.6 requests to shared memory per 32 elements where 5.5 would do, because warps do not finish early.
#include "reduction.h"

namespace {

const int BLOCK = 256;

__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float sdata[BLOCK];

  // each thread loads one element from global to shared memory
  int tid = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    sdata[tid] = in[i];
  else
    sdata[tid] = 0;
  __syncthreads();

  // do the reduction in shared memory
  for (int s = 1; s < BLOCK; s *= 2) {
    if (tid % (2 * s) == 0) {
      sdata[tid] += sdata[tid + s];
    }
    __syncthreads();
  }

  // write the result of this block
  if (tid == 0) out[blockIdx.x] = sdata[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + BLOCK - 1) / BLOCK;
  if (blocks <= 1) {
    reduce<<<1, BLOCK>>>(in, out, n);
    return;
  }
  reduce<<<blocks, BLOCK>>>(in, work, n);
  int count = blocks;
  while (count > 1) {
    blocks = (count + BLOCK - 1) / BLOCK;
    float* target = blocks == 1 ? out : work + count;
    reduce<<<blocks, BLOCK>>>(work, target, count);
    work = target;
    count = blocks;
  }
}

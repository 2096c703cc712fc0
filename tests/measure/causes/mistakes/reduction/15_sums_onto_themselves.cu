// CAUSE: a later pass reads and writes the same part of work: a block stores its sum where another block may not have read yet
// LINES: 37, 41
// REPAIR: let each pass write to another part of work than it reads
// GOOD HINT: Block 3 stores in work[3]. Which block reads work[3], and has it?
// SYMPTOM: wrong sums for more than 65,536 elements, depending on the order of the blocks

#include "reduction.h"

namespace {

constexpr int BLOCK = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float buf[BLOCK];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * BLOCK + tid;
  buf[tid] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int d = BLOCK / 2; d > 0; d /= 2) {
    if (tid < d) buf[tid] += buf[tid + d];
    __syncthreads();
  }
  if (tid == 0) out[blockIdx.x] = buf[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const int first_blocks = n > 0 ? (n + BLOCK - 1) / BLOCK : 1;
  if (first_blocks == 1) {
    sum_kernel<<<1, BLOCK>>>(in, out, n);
    return;
  }
  sum_kernel<<<first_blocks, BLOCK>>>(in, work, n);
  // from now on the sums go from one part of work to the other
  float* from = work;
  float* to = work;
  int count = first_blocks;
  while (count > BLOCK) {
    const int blocks = (count + BLOCK - 1) / BLOCK;
    sum_kernel<<<blocks, BLOCK>>>(from, to, count);
    count = blocks;
  }
  sum_kernel<<<1, BLOCK>>>(from, out, count);
}

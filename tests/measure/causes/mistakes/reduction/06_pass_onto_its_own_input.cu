// CAUSE: From the second pass on, the kernel reads its elements from `work` and stores its sums at the beginning of the same array, so a block may overwrite elements that another block has not loaded yet.
// LINES: after 33
// REPAIR: insert `    work += blocks;` after line 33
// GOOD HINT: Your second pass: from which array does block 0 load its 256 elements, and where does block 1 store its sum? What if block 1 is done first?
// SYMPTOM: Right for n <= 65,536 (two passes). With three or more passes a data race in `work` between blocks, and sums that are wrong now and then.

#include "reduction.h"

namespace {

constexpr int block = 256;

// out[b] becomes the sum of the tile of block b
__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  tile[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  while (n > block) {
    const int blocks = (n + block - 1) / block;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}

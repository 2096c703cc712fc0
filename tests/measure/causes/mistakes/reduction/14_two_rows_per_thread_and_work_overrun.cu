// CAUSE: Two mistakes: each thread adds four elements in a row, so in each load neighboring threads are 16 bytes apart, which is not coalesced; and after a pass `work` moves on by the n elements that were read and not by the sums that were stored, so the next pass stores far past the end of `work`.
// LINES: 21, 24, 43
// REPAIR: line 21: `(blockIdx.x * block + t) * each` -> `blockIdx.x * size + t`; line 24: `if (first + k < n) own += in[first + k];` -> `if (first + k * block < n) own += in[first + k * block];`; line 43: `work += n;` -> `work += blocks;`
// GOOD HINT: First: with k = 0, which elements do the threads 0, 1 and 2 load? Then: how many numbers did the pass put into `work`, and how far do you move on?
// SYMPTOM: Right sums for n <= 65,536 (two passes), but 16 sectors per load where 4 would do. With three or more passes a store out of bounds of `work`: crash or report.

// Sum of n numbers, four per thread

#include "reduction.h"

namespace {

constexpr int block = 64;           // threads
constexpr int each = 4;             // elements per thread
constexpr int size = block * each;  // elements per block

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;

  const int first = (blockIdx.x * block + t) * each;
  float own = 0;
  for (int k = 0; k < each; ++k) {
    if (first + k < n) own += in[first + k];
  }
  tile[t] = own;
  __syncthreads();

  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  while (n > size) {
    const int blocks = (n + size - 1) / size;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += n;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}

// CAUSE: From the second pass on, the sums go to the start of `work`, where that pass still reads its numbers from: block 1 may overwrite work[1] before block 0 has loaded it.
// LINES: 34
// REPAIR: line 34: `source = target;` -> `source = target; target += blocks;`
// SYMPTOM: Up to 65536 elements (two passes) it is right; beyond, the second pass is a data race on `work`, and sums are now and then wrong.
#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void tile_sum(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int tx = threadIdx.x, i = blockIdx.x * block + tx;
  tile[tx] = i < n ? in[i] : 0;
  __syncthreads();
  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (tx < distance) tile[tx] += tile[tx + distance];
    __syncthreads();
  }
  if (tx == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* source = in;
  float* target = work;
  int left = n;
  while (true) {
    const int blocks = left > 0 ? (left + block - 1) / block : 1;
    if (blocks == 1) target = out;
    tile_sum<<<blocks, block>>>(source, target, left);
    if (blocks == 1) return;
    source = target;
    left = blocks;
  }
}

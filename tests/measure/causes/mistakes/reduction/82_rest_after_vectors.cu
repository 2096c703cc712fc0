// CAUSE: After n / 4 vectors of four numbers, the rest begins at element 4 * (n / 4). The loop for the rest begins at n / 4, so most elements are added a second time.
// LINES: 28
// REPAIR: line 28: `for (int i = vectors + id; i < n; i += all) s += in[i];` -> `for (int i = 4 * vectors + id; i < n; i += all) s += in[i];`
// SYMPTOM: Far too large sums; only sums of up to three elements (and other tiny cases) are right.

#include "reduction.h"

namespace {

const int BLOCK = 128;
const int MOST_BLOCKS = 512;

__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float part[BLOCK];
  const int t = threadIdx.x;
  const int all = gridDim.x * BLOCK;
  const int id = blockIdx.x * BLOCK + t;

  const float4* in4 = reinterpret_cast<const float4*>(in);
  const int vectors = n / 4;

  float s = 0;
  for (int i = id; i < vectors; i += all) {
    float4 v = in4[i];
    s += (v.x + v.y) + (v.z + v.w);
  }
  // what does not fill a vector
  for (int i = vectors + id; i < n; i += all) s += in[i];

  part[t] = s;
  __syncthreads();
  for (int half = BLOCK / 2; half >= 1; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = part[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int blocks = n / (BLOCK * 32) + 1;
  if (blocks > MOST_BLOCKS) blocks = MOST_BLOCKS;
  if (blocks == 1) {
    reduce<<<1, BLOCK>>>(in, out, n);
    return;
  }
  reduce<<<blocks, BLOCK>>>(in, work, n);
  reduce<<<1, BLOCK>>>(work, out, blocks);
}

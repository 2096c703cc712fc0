// CAUSE: Every pass writes its sums to the beginning of work, also when it reads its input from there: block b stores work[b] while block 0 may still have to load it.
// LINES: 42
// REPAIR: line 42: `to = work;` -> `to = to + tiles;`
// SYMPTOM: A race between blocks from the second pass on (n > 65536, when it has several blocks): block 0 adds a sum of the new pass instead of one of the old.

#include "reduction.h"

namespace {

constexpr int block = 256;

// A tile per block, halved until one number is left.
__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;

  tile[t] = (i < n) ? in[i] : 0.0f;
  __syncthreads();

  for (int distance = block >> 1; distance != 0; distance >>= 1) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }

  if (t == 0) out[blockIdx.x] = tile[0];
}

int tiles_of(int n) { return n > 0 ? (n - 1) / block + 1 : 1; }

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  const float* from = in;
  float* to = work;
  int count = n;

  while (tiles_of(count) > 1) {
    const int tiles = tiles_of(count);
    sum_kernel<<<tiles, block>>>(from, to, count);
    from = to;
    to = work;
    count = tiles;
  }

  sum_kernel<<<1, block>>>(from, out, count);
}

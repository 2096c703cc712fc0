// CAUSE: The two parts of work should take turns, but the two results of the ?: are swapped, so target stays first_half, and from the second pass on a pass stores its sums where other blocks still read their elements.
// LINES: 37
// REPAIR: line 37: `target = target == first_half ? first_half : second_half;` -> `target = target == first_half ? second_half : first_half;`
// SYMPTOM: A data race between blocks when a pass after the first has several blocks (n > 65536): a block may read sums where it should read its elements, so the sum is wrong now and then.
#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  tile[tx] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (tx < distance) tile[tx] += tile[tx + distance];
    __syncthreads();
  }
  if (tx == 0) out[blockIdx.x] = tile[0];
}

int tiles_of(int n) { return n == 0 ? 1 : (n + block - 1) / block; }

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  float* const first_half = work;
  float* const second_half = work + tiles_of(n);  // both fit: n / 256 + 1 and less
  const float* source = in;
  float* target = first_half;
  while (tiles_of(n) > 1) {
    const int tiles = tiles_of(n);
    sum_kernel<<<tiles, block>>>(source, target, n);
    source = target;
    target = target == first_half ? first_half : second_half;
    n = tiles;
  }
  sum_kernel<<<1, block>>>(source, out, n);
}

// CAUSE: The first lane of each warp stores its sum at the index of the lane, which is always 0, instead of that of the warp. And the blocks of a pass are counted with a division that rounds down, so the elements after the last full tile are left out.
// LINES: 24 40
// REPAIR: line 24: `of_warp[lane] = value;` -> `of_warp[warp] = value;`; line 40: `const int blocks = n / block;` -> `const int blocks = (n + block - 1) / block;`
// SYMPTOM: Warps race for one slot and the other slots are never written; and sums miss the last n % 256 elements.

#include "reduction.h"

namespace {

constexpr int block = 256;

__global__ void add_tile(const float* in, float* sums, int n) {
  __shared__ float of_warp[block / 32];
  const int tx = threadIdx.x;
  const int lane = tx & 31;
  const int warp = tx >> 5;
  const int i = blockIdx.x * block + tx;

  float value = 0;
  if (i < n) value = in[i];
  for (int step = 1; step < 32; step *= 2) value += __shfl_down_sync(~0u, value, step);

  if (lane == 0) {
    of_warp[lane] = value;
  }
  __syncthreads();

  if (tx == 0) {
    float result = of_warp[0];
    for (int w = 1; w < block / 32; ++w) result += of_warp[w];
    sums[blockIdx.x] = result;
  }
}

void reduce(const float* in, float* out, float* work, int n) {
  if (n <= block) {
    add_tile<<<1, block>>>(in, out, n);
    return;
  }
  const int blocks = n / block;
  add_tile<<<blocks, block>>>(in, work, n);
  reduce(work, out, work + blocks, blocks);
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) { reduce(in, out, work, n); }

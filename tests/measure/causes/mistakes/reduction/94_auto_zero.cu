// CAUSE: `auto total = 0` makes total an int, so each addition converts the sum back to an integer and cuts off the digits after the point. The initial value has to be a float.
// LINES: 25
// REPAIR: line 25: `auto total = 0;` -> `auto total = 0.0f;`
// SYMPTOM: Sums of fractions come out too small or 0, and large or infinite ones are garbage; whole numbers happen to be right.

#include "reduction.h"

static constexpr unsigned all_lanes = 0xffffffff;

__device__ static inline float add_lanes(float x) {
  x += __shfl_xor_sync(all_lanes, x, 16);
  x += __shfl_xor_sync(all_lanes, x, 8);
  x += __shfl_xor_sync(all_lanes, x, 4);
  x += __shfl_xor_sync(all_lanes, x, 2);
  x += __shfl_xor_sync(all_lanes, x, 1);
  return x;
}

__global__ void __launch_bounds__(512) partial_sums(const float* data, float* result, int size) {
  extern __shared__ float warp_totals[];
  const int me = threadIdx.x;
  const int begin = blockIdx.x * 2048;
  const int end = begin + 2048 < size ? begin + 2048 : size;

  auto total = 0;
  for (int k = begin + me; k < end; k += 512) total += data[k];

  const float whole = add_lanes(total);
  if (me % 32 == 0) warp_totals[me / 32] = whole;
  __syncthreads();

  if (me < 32) {
    const float last = add_lanes(me < 16 ? warp_totals[me] : 0.0f);
    if (me == 0) result[blockIdx.x] = last;
  }
}

void sum(const float* in, float* out, float* work, int n) {
  const auto blocks_for = [](int size) { return size > 2048 ? (size - 1) / 2048 + 1 : 1; };
  const auto launch = [](const float* from, float* to, int size, int blocks) {
    partial_sums<<<blocks, 512, 16 * sizeof(float)>>>(from, to, size);
  };

  int size = n;
  const float* from = in;
  float* to = work;
  for (int blocks = blocks_for(size); blocks > 1; blocks = blocks_for(size)) {
    launch(from, to, size, blocks);
    from = to;
    to += blocks;
    size = blocks;
  }
  launch(from, out, size, 1);
}

// CAUSE: The loop over the elements that fill no float4 starts at the number of float4s instead of at four times that number.
// LINES: 32
// REPAIR: for (int i = 4 * quads + id; i < n; i += step)
// SYMPTOM: Three quarters of the elements are added twice; the sum is wrong for nearly every n > 1 (1 to 3 elements are right).

#include "reduction.h"

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 528;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float cell[threads];
  const int t = threadIdx.x;
  const int id = blockIdx.x * threads + t;
  const int step = gridDim.x * threads;
  const int quads = n / 4;
  const float4* in4 = reinterpret_cast<const float4*>(in);

  float4 acc = make_float4(0, 0, 0, 0);
  for (int i = id; i < quads; i += step) {
    const float4 q = in4[i];
    acc.x += q.x;
    acc.y += q.y;
    acc.z += q.z;
    acc.w += q.w;
  }
  float mine = (acc.x + acc.y) + (acc.z + acc.w);

  // the last n % 4 elements
  for (int i = quads + id; i < n; i += step) mine += in[i];

  cell[t] = mine;
  for (int half = threads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half) cell[t] += cell[t + half];
  }
  if (t == 0) out[blockIdx.x] = cell[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  constexpr int share = 4 * threads;
  int blocks = (n + share - 1) / share;
  if (blocks > most_blocks) blocks = most_blocks;
  if (blocks < 2) {
    sum_kernel<<<1, threads>>>(in, out, n);
    return;
  }
  sum_kernel<<<blocks, threads>>>(in, work, n);
  sum_kernel<<<1, threads>>>(work, out, blocks);
}

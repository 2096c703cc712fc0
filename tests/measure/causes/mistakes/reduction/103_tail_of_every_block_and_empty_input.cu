// CAUSE: (1) The last n % 4 elements are added by the first threads of every block, not of block 0 alone. (2) Nothing is launched for n = 0, but the sum is 0 then.
// LINES: 35 43
// REPAIR: line 35: `if (threadIdx.x < n % 4) own += in[4 * quads + threadIdx.x];` -> `if (id < n % 4) own += in[4 * quads + threadIdx.x];`; line 43: delete
// SYMPTOM: (1) The tail counts several times. (2) out[0] is not written for n = 0.

#include "reduction.h"

namespace {

constexpr int block = 512;

// The sum of the values of all threads of the block, for thread 0.
template <int size>
__device__ float sum_of_block(float value, float* tile) {
  tile[threadIdx.x] = value;
  __syncthreads();
#pragma unroll
  for (int d = size / 2; d >= 1; d >>= 1) {
    if (threadIdx.x < d) tile[threadIdx.x] += tile[threadIdx.x + d];
    __syncthreads();
  }
  return tile[0];
}

__global__ void sum_kernel(const float* in, float* sums, int n) {
  __shared__ float tile[block];
  const int quads = n / 4;
  const auto* wide = reinterpret_cast<const float4*>(in);
  const int id = blockIdx.x * block + threadIdx.x;
  float own = 0;
  for (int q = id; q < quads; q += gridDim.x * block) {
    const float4 v = wide[q];
    own += (v.x + v.y) + (v.z + v.w);
  }
  if (threadIdx.x < n % 4) own += in[4 * quads + threadIdx.x];
  const float total = sum_of_block<block>(own, tile);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  if (n == 0) return;
  const int wanted = n / (4 * block) + 1;
  const int blocks = min(wanted, min(1024, n / 32 + 64));
  sum_kernel<<<blocks, block>>>(in, blocks > 1 ? work : out, n);
  if (blocks > 1) sum_kernel<<<1, block>>>(work, out, blocks);
}

// Blocks of a cluster add their sums in distributed shared memory. The kernel says how large its
// clusters are.
// Lab: reduction
// Verdict: graded
// Earns: everything

#include <cooperative_groups.h>

#include "reduction.h"
namespace cg = cooperative_groups;
constexpr int kThreads = 256, kCluster = 4;
__device__ float reduce_block(float v, float* scratch) {
  for (int d = 16; d; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x % 32 == 0) scratch[threadIdx.x / 32] = v;
  __syncthreads();
  v = threadIdx.x < kThreads / 32 ? scratch[threadIdx.x] : 0.f;
  if (threadIdx.x < 32)
    for (int d = 4; d; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}
__global__ void __cluster_dims__(kCluster, 1, 1) clustered(const float* in, float* sums, int n) {
  __shared__ float scratch[32];
  __shared__ float of_block;
  cg::cluster_group cluster = cg::this_cluster();
  float v = 0;
  for (int i = blockIdx.x * kThreads + threadIdx.x; i < n; i += gridDim.x * kThreads) {
    v += in[i];
    if (n - i <= static_cast<int>(gridDim.x) * kThreads) break;
  }
  v = reduce_block(v, scratch);
  if (threadIdx.x == 0) of_block = v;
  cluster.sync();
  if (cluster.block_rank() == 0 && threadIdx.x == 0) {
    float all = 0;
    for (unsigned r = 0; r < cluster.num_blocks(); ++r)
      all += *cluster.map_shared_rank(&of_block, r);
    sums[blockIdx.x / kCluster] = all;
  }
  cluster.sync();
}
__global__ void finish(const float* sums, float* out, int count) {
  __shared__ float scratch[32];
  float v = 0;
  for (int i = threadIdx.x; i < count; i += kThreads) v += sums[i];
  v = reduce_block(v, scratch);
  if (threadIdx.x == 0) out[0] = v;
}
void sum(const float* in, float* out, float* work, int n) {
  int clusters = n / (kThreads * kCluster * 8) + 1;
  if (clusters > 128) clusters = 128;
  clustered<<<clusters * kCluster, kThreads>>>(in, work, n);
  finish<<<1, kThreads>>>(work, out, clusters);
}

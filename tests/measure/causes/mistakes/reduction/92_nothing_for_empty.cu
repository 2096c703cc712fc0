// CAUSE: For n = 0 the function returns without a launch, as in other labs. Here the sum of no numbers is 0, and out[0] still has to get it.
// LINES: 39
// REPAIR: line 39: `if (n == 0) return;` -> `if (n == 0) return static_cast<void>(cudaMemset(out, 0, sizeof(float)));`
// SYMPTOM: For n = 0 out[0] keeps whatever it held before the call.

#include "reduction.h"

namespace {

constexpr int kBlock = 256;
constexpr int kWarps = kBlock / 32;
constexpr int kMaxBlocks = 1024;

__device__ float warp_sum(float v) {
  for (int d = 16; d > 0; d >>= 1) v += __shfl_down_sync(0xffffffffu, v, d);
  return v;
}

__device__ float block_sum(float v) {
  __shared__ float parts[kWarps];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  v = warp_sum(v);
  if (lane == 0) parts[warp] = v;
  __syncthreads();
  if (warp > 0) return 0;
  return warp_sum(lane < kWarps ? parts[lane] : 0.0f);
}

__global__ void pass(const float* __restrict__ in, float* __restrict__ out, int n) {
  float v = 0;
  for (long long i = blockIdx.x * kBlock + threadIdx.x; i < n; i += gridDim.x * kBlock) v += in[i];
  v = block_sum(v);
  if (threadIdx.x == 0) out[blockIdx.x] = v;
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  if (n == 0) return;
  const int needed = n / 32 < kBlock ? 1 : (n + kBlock - 1) / kBlock;
  const int blocks = needed < kMaxBlocks ? needed : kMaxBlocks;
  const int room = n / 32 + 64;
  const int first = blocks < room ? blocks : room;
  pass<<<first, kBlock>>>(in, work, n);
  pass<<<1, kBlock>>>(work, out, first);
}

// CAUSE: The first barrier stands inside the condition that there is a point to load. In the last tile, threads without a point do not come to it, so the barrier is divergent, and these threads scan the tile without waiting.
// LINES: 39, after 40
// REPAIR: delete `__syncthreads();` (line 39); insert `__syncthreads();` after line 40
// GOOD HINT: Who reaches your first barrier in the last tile, when n is no multiple of the block size? Who does not have to load, but has to wait?
// SYMPTOM: Divergent barrier and race in the last tile when n is no multiple of 128 (hang or wrong answers, depending on the machine).
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

const int block = 128;

__device__ float squared_distance(const float3& p, const float3& q) {
  const float x = p.x - q.x;
  const float y = p.y - q.y;
  const float z = p.z - q.z;
  return x * x + y * y + z * z;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];

  const int thread = threadIdx.x;
  const int own_index = blockIdx.x * block + thread;

  float3 own = {};
  if (own_index < n) {
    own = points[own_index];
  }

  float least = FLT_MAX;
  int answer = -1;

  for (int begin = 0; begin < n; begin += block) {
    // Load one point per thread and wait for all of them.
    if (begin + thread < n) {
      tile[thread] = points[begin + thread];
      __syncthreads();
    }

    const int end = min(begin + block, n);
    for (int other = begin; other < end; ++other) {
      if (other == own_index) continue;
      const float distance = squared_distance(own, tile[other - begin]);
      if (distance < least) {
        least = distance;
        answer = other;
      }
    }

    // Nobody may load before all have scanned.
    __syncthreads();
  }

  if (own_index < n) {
    nearest[own_index] = answer;
  }
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) {
    return;
  }
  nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
}

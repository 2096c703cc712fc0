// CAUSE: A thread searches for four points, and loads all four without testing whether they exist. Past the end it reads outside of the array `points`.
// LINES: 31
// REPAIR: line 31: `points[i[r]]` -> `points[min(i[r], n - 1)]`
// GOOD HINT: The answers are guarded by n when you store them. Are all reads of `points` guarded as well? Look at the last block, and at the very beginning of your kernel.
// SYMPTOM: Results right (the superfluous points are never stored), but reads past the end of `points` when n is no multiple of 512: memory checker, or a crash.
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;
constexpr int per_thread = 4;  // points that a thread searches for (task 7)

__device__ float squared_distance(float3 a, float4 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[block];
  const int tx = threadIdx.x;

  int i[per_thread];
  float3 own[per_thread];
  float best[per_thread];
  int best_index[per_thread];
#pragma unroll
  for (int r = 0; r < per_thread; ++r) {
    i[r] = (blockIdx.x * per_thread + r) * block + tx;
    own[r] = points[i[r]];
    best[r] = FLT_MAX;
    best_index[r] = -1;
  }

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) {
      const float3 p = points[first + tx];
      tile[tx] = make_float4(p.x, p.y, p.z, 0.0f);
    }
    __syncthreads();

    const int count = min(block, n - first);
    for (int k = 0; k < count; ++k) {
      const float4 slot = tile[k];
#pragma unroll
      for (int r = 0; r < per_thread; ++r) {
        const float distance = squared_distance(own[r], slot);
        if (first + k != i[r] && distance < best[r]) {
          best[r] = distance;
          best_index[r] = first + k;
        }
      }
    }
    __syncthreads();
  }

#pragma unroll
  for (int r = 0; r < per_thread; ++r) {
    if (i[r] < n) nearest[i[r]] = best_index[r];
  }
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int queries = block * per_thread;
  const int grid = (n + queries - 1) / queries;
  nearest_kernel<<<grid, block>>>(points, nearest, n);
}

// CAUSE: The test for the own point compares the slot with the thread's number, so in every tile, not only in the block's own, slot tx is left out.
// LINES: 38
// REPAIR: if (first + s == i) continue;
// SYMPTOM: Right for up to 128 points; with more, a thread misses the points that are a multiple of 128 away in the array, and some answers are wrong.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

struct Candidate {
  float distance;
  int index;
};

__device__ float squared_distance(float3 a, float3 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;

  const float3 own = i < n ? points[i] : float3{};
  Candidate best = {FLT_MAX, -1};

  for (int first = 0; first < n; first += block) {
    const int count = n - first < block ? n - first : block;
    if (tx < count) tile[tx] = points[first + tx];
    __syncthreads();

    for (int s = 0; s < count; ++s) {
      if (s == tx) continue;
      const float distance = squared_distance(own, tile[s]);
      if (distance < best.distance) best = {distance, first + s};
    }
    __syncthreads();
  }

  if (i < n) nearest[i] = best.index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n - 1) / block + 1, block>>>(points, nearest, n);
}

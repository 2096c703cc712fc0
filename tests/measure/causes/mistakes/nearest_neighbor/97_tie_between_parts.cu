// CAUSE: Four threads scan interleaved slots for the same point. When they combine their results, only the distances are compared, so of equally near points the one with the lowest index does not always win.
// LINES: 29
// REPAIR: line 29: `return a.distance < b.distance;` -> `return a.distance < b.distance || (a.distance == b.distance && a.index < b.index);`
// SYMPTOM: With equally near points, such as points on a lattice or in one place, the index is not the lowest.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int threads = 256;
constexpr int parts = 4;  // threads that share a point, next to each other in a warp
constexpr int points_per_block = threads / parts;

struct Found {
  float distance;
  int index;
};

__device__ float squared_distance(const float3& a, const float3& b) {
  float dx = a.x - b.x;
  float dy = a.y - b.y;
  float dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__device__ bool better(const Found& a, const Found& b) {
  return a.distance < b.distance;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[threads];
  const int part = threadIdx.x % parts;
  const int me = blockIdx.x * points_per_block + threadIdx.x / parts;
  float3 own = make_float3(0, 0, 0);
  if (me < n) own = points[me];

  Found found{FLT_MAX, -1};
  for (int first = 0; first < n; first += threads) {
    const int size = min(threads, n - first);
    if (threadIdx.x < size) tile[threadIdx.x] = points[first + threadIdx.x];
    __syncthreads();
    for (int slot = part; slot < size; slot += parts) {
      const float d = squared_distance(own, tile[slot]);
      if (d < found.distance && first + slot != me) found = Found{d, first + slot};
    }
    __syncthreads();
  }

  for (int step = 1; step < parts; step *= 2) {
    Found other;
    other.distance = __shfl_xor_sync(0xffffffffu, found.distance, step);
    other.index = __shfl_xor_sync(0xffffffffu, found.index, step);
    if (better(other, found)) found = other;
  }
  if (part == 0 && me < n) nearest[me] = found.index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n < 1) return;
  const int blocks = (n + points_per_block - 1) / points_per_block;
  nearest_kernel<<<blocks, threads>>>(points, nearest, n);
}

// CAUSE: When a nearer point is found, only its index is noted, not its distance. The least distance stays at FLT_MAX, so each later point counts as nearer, too.
// LINES: 24
// REPAIR: before line 24: add `least = d;`
// SYMPTOM: nearest[i] is the last other point with a finite distance instead of the nearest.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int kThreads = 256;

struct Search {
  float3 origin;
  int self;
  float least = FLT_MAX;
  int found = -1;

  __device__ void offer(const float3& p, int index) {
    const float dx = p.x - origin.x, dy = p.y - origin.y, dz = p.z - origin.z;
    const float d = dx * dx + dy * dy + dz * dz;
    if (index == self || !(d < least)) return;
    found = index;
  }
};

__global__ void search_all(const float3* points, int* nearest, int n) {
  extern __shared__ float3 cache[];
  const int self = blockIdx.x * kThreads + threadIdx.x;
  Search search{points[self < n ? self : n - 1], self};

  for (int base = 0; base < n; base += kThreads) {
    const int count = min(kThreads, n - base);
    if (threadIdx.x < count) cache[threadIdx.x] = points[base + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < count; ++k) search.offer(cache[k], base + k);
    __syncthreads();
  }
  if (self < n) nearest[self] = search.found;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  search_all<<<(n - 1) / kThreads + 1, kThreads, kThreads * sizeof(float3)>>>(points, nearest, n);
}

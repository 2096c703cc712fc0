// CAUSE: The thread's own point is left out by its distance of 0 instead of its index, which leaves out all other points in the same place, too.
// LINES: 29
// REPAIR: line 29: `if (d > 0 && d < best.distance) {` -> `if (base + s != self && d < best.distance) {`
// SYMPTOM: Wrong neighbor (or -1) for each point that shares its place with another one; right if all points are in different places.
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

struct Best {
  float distance;
  int index;
};

constexpr int width = 256;

__device__ __forceinline__ float dist2(const float3& a, const float4& b) {
  const float x = a.x - b.x;
  const float y = a.y - b.y;
  const float z = a.z - b.z;
  return fmaf(x, x, fmaf(y, y, z * z));
}

__device__ void scan(const float4* slots, int count, int base, int self, const float3& own,
                     Best& best) {
  for (int s = 0; s < count; ++s) {
    const float d = dist2(own, slots[s]);
    if (d > 0 && d < best.distance) {
      best.distance = d;
      best.index = base + s;
    }
  }
}

__global__ void search(const float3* points, int* nearest, int n) {
  __shared__ float4 slots[width];
  const int self = blockIdx.x * width + threadIdx.x;
  const float3 own = self < n ? points[self] : make_float3(0, 0, 0);
  Best best = {FLT_MAX, -1};

  for (int base = 0; base < n; base += width) {
    const int load = base + threadIdx.x;
    if (load < n) {
      const float3 p = points[load];
      slots[threadIdx.x] = make_float4(p.x, p.y, p.z, 0.0f);
    }
    __syncthreads();
    scan(slots, min(width, n - base), base, self, own, best);
    __syncthreads();
  }
  if (self < n) nearest[self] = best.index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) search<<<(n + width - 1) / width, width>>>(points, nearest, n);
}

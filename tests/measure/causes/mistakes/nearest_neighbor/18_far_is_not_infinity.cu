// CAUSE: empty slots of the last tile are filled with points at 1e9, which are at a finite distance, and so are found if nothing is nearer
// LINES: 26
// REPAIR: fill up with INFINITY
// GOOD HINT: How far from your points is a point at 1e9, and is it one of the n points?
// SYMPTOM: indices of n and more where no other point is near

#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int threads = 128;

__global__ void search(const float3* points, int* nearest, int n) {
  __shared__ float4 slots[threads];
  const int t = threadIdx.x;
  const int i = blockIdx.x * threads + t;
  float3 own = make_float3(INFINITY, INFINITY, INFINITY);
  if (i < n) own = points[i];
  float least = FLT_MAX;
  int found = -1;
  for (int first = 0; first < n; first += threads) {
    // fill up with points at infinity, so that the loop needs no bound
    float4 mine = make_float4(1e9f, 1e9f, 1e9f, 0);
    if (first + t < n) {
      const float3 q = points[first + t];
      mine = make_float4(q.x, q.y, q.z, 0);
    }
    slots[t] = mine;
    __syncthreads();
    for (int s = 0; s < threads; ++s) {
      const float4 q = slots[s];
      const float dx = q.x - own.x, dy = q.y - own.y, dz = q.z - own.z;
      const float distance = dx * dx + dy * dy + dz * dz;
      if (distance < least && first + s != i) {
        least = distance;
        found = first + s;
      }
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = found;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  const int blocks = (n + threads - 1) / threads;
  if (blocks > 0) search<<<blocks, threads>>>(points, nearest, n);
}

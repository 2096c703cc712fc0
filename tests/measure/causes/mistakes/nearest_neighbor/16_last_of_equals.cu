// CAUSE: of equally near points the last one is kept, because equal distances are taken, too
// LINES: 37
// REPAIR: distance < min_d
// GOOD HINT: Two points are equally near. Which one do you keep?
// SYMPTOM: a higher index where points are equally near

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
  float min_d = FLT_MAX;
  int arg = -1;
  for (int first = 0; first < n; first += threads) {
    // fill up with points at infinity, so that the loop needs no bound
    float4 mine = make_float4(INFINITY, INFINITY, INFINITY, 0);
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
      if (distance <= min_d && first + s != i) {
        min_d = distance;
        arg = first + s;
      }
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = arg;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  const int blocks = (n + threads - 1) / threads;
  if (blocks > 0) search<<<blocks, threads>>>(points, nearest, n);
}

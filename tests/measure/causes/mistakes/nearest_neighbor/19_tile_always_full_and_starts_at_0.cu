// CAUSE: two mistakes: the scan goes over all slots, also those that the last tile does not fill; and a search that finds nothing answers 0 instead of -1
// LINES: 28, 33
// REPAIR: scan min(BLOCK, n - base) slots; best_j = -1
// GOOD HINT: Which points are in the slots past n? What is the answer for a single point?
// SYMPTOM: indices past n or of old points; 0 for n = 1

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int BLOCK = 128;

__device__ float dist2(float3 a, float3 b) {
  float dx = a.x - b.x;
  float dy = a.y - b.y;
  float dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 shared[BLOCK];
  int tx = threadIdx.x;
  int me = blockIdx.x * BLOCK + tx;
  float3 p = me < n ? points[me] : make_float3(0, 0, 0);
  float best = FLT_MAX;
  int best_j = 0;

  for (int base = 0; base < n; base += BLOCK) {
    if (base + tx < n) shared[tx] = points[base + tx];
    __syncthreads();
    for (int s = 0; s < BLOCK; ++s) {
      int j = base + s;
      if (j == me) continue;
      float d = dist2(p, shared[s]);
      if (d < best) {
        best = d;
        best_j = j;
      }
    }
    __syncthreads();
  }

  if (me < n) nearest[me] = best_j;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(points, nearest, n);
}

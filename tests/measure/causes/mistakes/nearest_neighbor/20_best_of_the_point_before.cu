// CAUSE: a thread searches for several points one after the other, and the least distance and its index are not set back before the next point
// LINES: 28
// REPAIR: shortest = FLT_MAX and found = -1 at the beginning of the loop over the points
// GOOD HINT: What is in shortest when a thread begins with its second point?
// SYMPTOM: right up to 256 points; later points get the answer of another point

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int T = 64;
constexpr int max_blocks = 4;

__device__ float dist2(const float3& p, const float3& q) {
  float x = p.x - q.x;
  float y = p.y - q.y;
  float z = p.z - q.z;
  return x * x + y * y + z * z;
}

__global__ void search(const float3* points, int* nearest, int n) {
  __shared__ float3 cache[T];
  float shortest = FLT_MAX;
  int found = -1;
  // base is the same for the whole block, so everybody reaches the barriers
  for (int base = blockIdx.x * T; base < n; base += gridDim.x * T) {
    const int me = base + threadIdx.x;
    float3 p = make_float3(0, 0, 0);
    if (me < n) p = points[me];
    for (int start = 0; start < n; start += T) {
      if (start + threadIdx.x < n) cache[threadIdx.x] = points[start + threadIdx.x];
      __syncthreads();
      const int filled = min(T, n - start);
      for (int k = 0; k < filled; k++) {
        float d = dist2(p, cache[k]);
        if (d < shortest && start + k != me) {
          shortest = d;
          found = start + k;
        }
      }
      __syncthreads();
    }
    if (me < n) nearest[me] = found;
  }
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  int blocks = (n + T - 1) / T;
  search<<<blocks < max_blocks ? blocks : max_blocks, T>>>(points, nearest, n);
}

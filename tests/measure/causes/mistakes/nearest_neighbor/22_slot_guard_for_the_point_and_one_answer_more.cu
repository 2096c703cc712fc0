// CAUSE: two mistakes: the guard of the load asks whether the slot is less than n, not whether the point is; and the guard of the store lets the thread right after the last point through
// LINES: 26, 45
// REPAIR: begin + lane < n; i < n
// GOOD HINT: Which point does your load read, and which number does its guard compare with n? And what is the last valid index of nearest?
// SYMPTOM: reads past the end of points in the last tile; a write to nearest[n] unless n is a multiple of the block size

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int width = 128;

struct Best {
  float d = FLT_MAX;
  int j = -1;

  __device__ void offer(float distance, int index) {
    if (distance < d) d = distance, j = index;
  }
};

__device__ void load(float3* tile, const float3* points, int begin, int n) {
  const int lane = threadIdx.x;
  if (lane < n) tile[lane] = points[begin + lane];
}

__global__ void kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[width];
  const int i = blockIdx.x * width + threadIdx.x;
  const float3 own = points[i < n ? i : 0];
  Best best;
  for (int begin = 0; begin < n; begin += width) {
    load(tile, points, begin, n);
    __syncthreads();
    const int end = begin + width < n ? begin + width : n;
    for (int j = begin; j < end; ++j) {
      const float3 other = tile[j - begin];
      const float x = other.x - own.x, y = other.y - own.y, z = other.z - own.z;
      if (j != i) best.offer(x * x + y * y + z * z, j);
    }
    __syncthreads();
  }
  if (i <= n) nearest[i] = best.j;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) kernel<<<(n - 1) / width + 1, width>>>(points, nearest, n);
}

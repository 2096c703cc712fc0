// CAUSE: Two mistakes. (1) The number of blocks is rounded down, so the last n % block points get no answer, and for n < block the grid is empty, which is a launch error. (2) With <= the last of equally near points is kept, not the first.
// LINES: 36, 54
// REPAIR: line 36: `distance <= best` -> `distance < best`; line 54: `n / block` -> `(n + block - 1) / block`
// GOOD HINT: (1) How many blocks do you launch for 100 points, and for 130? (2) Of two equally near points, which one stays with your comparison, and which one does the contract ask for?
// SYMPTOM: Nothing written for n < 128 (invalid configuration), else the last n % 128 answers missing; highest instead of lowest index where points are equally near; with <= also a point at a distance of exactly FLT_MAX.
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

__device__ float squared_distance(float3 a, float3 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float3 own = i < n ? points[i] : float3{};
  float best = FLT_MAX;
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) {
      tile[tx] = points[first + tx];
    }
    __syncthreads();

    for (int k = 0; k < min(block, n - first); ++k) {
      if (first + k == i) continue;
      const float distance = squared_distance(own, tile[k]);
      if (distance <= best) {
        best = distance;
        best_index = first + k;
      }
    }
    __syncthreads();
  }

  if (i < n) {
    nearest[i] = best_index;
  }
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  dim3 threads(block);
  dim3 blocks(n / block);
  nearest_kernel<<<blocks, threads>>>(points, nearest, n);
}

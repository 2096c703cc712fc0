// CAUSE: The scan always goes through all slots of the tile, but in the last tile the slots past n hold points of the tile before, or nothing.
// LINES: 32
// REPAIR: for (int s = 0; s < block && start + s < n; ++s) {
// SYMPTOM: Indices >= n (a thread finds a copy of its own point at distance 0 in the last tile), and for n < 128 reads of uninitialized shared memory.
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

__device__ float squared_distance(const float3& a, const float3& b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 slots[block];
  const int lane = threadIdx.x;
  const int self = blockIdx.x * block + lane;
  const float3 me = points[min(self, n - 1)];

  float minimum = FLT_MAX;
  int winner = -1;
  int start = 0;
  while (start < n) {
    const int mine = start + lane;
    if (mine < n) slots[lane] = points[mine];
    __syncthreads();

    for (int s = 0; s < block; ++s) {
      if (start + s == self) continue;
      const float distance = squared_distance(me, slots[s]);
      if (distance < minimum) {
        minimum = distance;
        winner = start + s;
      }
    }

    __syncthreads();
    start += block;
  }

  if (self < n) nearest[self] = winner;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) {
    nearest_kernel<<<(n - 1) / block + 1, block>>>(points, nearest, n);
  }
}

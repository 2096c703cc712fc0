// CAUSE: The least distance is declared inside the loop over the tiles, so it starts again from FLT_MAX with each tile. The answer is the nearest point of the last tile (that has one) instead of the nearest of all.
// LINES: 23 26
// REPAIR: before line 23: add `float closest = FLT_MAX;`; line 26: delete `float closest = FLT_MAX;`
// SYMPTOM: Right while all points fit into one tile; with more points the neighbors are nearly all in the last tile.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int size = 192;

__global__ void kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 cache[size];
  const int tid = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + tid;
  const bool exists = i < n;
  float3 own{};
  if (exists) own = points[i];

  int answer = -1;
  const int tiles = (n + size - 1) / size;

  for (int t = 0; t < tiles; ++t) {
    float closest = FLT_MAX;
    const int from = t * size;
    const int count = t == tiles - 1 ? n - from : size;

    if (tid < count) cache[tid] = points[from + tid];
    __syncthreads();

    if (exists) {
      const float3* p = cache;
      for (int j = from; j < from + count; ++j, ++p) {
        const float x = p->x - own.x;
        const float y = p->y - own.y;
        const float z = p->z - own.z;
        const float squared = x * x + y * y + z * z;
        if (j != i && squared < closest) {
          closest = squared;
          answer = j;
        }
      }
    }
    __syncthreads();
  }

  if (exists) nearest[i] = answer;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n != 0) {
    const int blocks = (n + size - 1) / size;
    kernel<<<blocks, size>>>(points, nearest, n);
  }
}

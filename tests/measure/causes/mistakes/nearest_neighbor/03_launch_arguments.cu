// CAUSE: Grid and block are exchanged in the launch: block comes first in the <<< >>>, so it launches 128 blocks of `blocks` threads, but the kernel relies on 128 threads per block.
// LINES: 51
// REPAIR: line 51: `<<<block, blocks>>>` -> `<<<blocks, block>>>`
// GOOD HINT: What does the first number in <<< , >>> say, and what the second? How many threads does one of your blocks have for n = 1000, and who loads slot 100 of the tile?
// SYMPTOM: Most answers wrong or never written (for n = 100 a block has one thread, which loads slot 0 only; the other slots are read uninitialized); points 128 * 128 and up get no answer; a launch error for n above 131,072.
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
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();
    for (int k = 0; k < block && first + k < n; ++k) {
      const int j = first + k;
      if (j == i) continue;
      const float distance = squared_distance(own, tile[k]);
      if (distance < best) {
        best = distance;
        best_index = j;
      }
    }
    __syncthreads();
  }

  if (i < n) nearest[i] = best_index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int blocks = (n + block - 1) / block;
  nearest_kernel<<<block, blocks>>>(points, nearest, n);
}

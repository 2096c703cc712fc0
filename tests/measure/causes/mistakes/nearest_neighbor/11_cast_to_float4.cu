// CAUSE: To load 16 bytes at a time the array of float3 is read as if it were one of float4. Points lie 12 bytes apart, so element j of the cast pointer is not point j; it is also not aligned to 16 bytes and reaches past the end of the array.
// LINES: 28
// REPAIR: line 28: `reinterpret_cast<const float4*>(points)[first + tx]` -> `make_float4(points[first + tx].x, points[first + tx].y, points[first + tx].z, 0.0f)`
// GOOD HINT: At which byte does point 1 begin in memory, and at which byte do you read it? The tile may hold float4 - but what does the array hold?
// SYMPTOM: Wrong neighbors almost everywhere, reads past the end of `points`, and a misaligned address error where the array does not begin at a multiple of 16.
#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;

__device__ float squared_distance(float3 a, float4 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[block];  // a slot is read with one instruction
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float3 own = i < n ? points[i] : float3{};
  float best = FLT_MAX;
  int best_index = -1;

  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = reinterpret_cast<const float4*>(points)[first + tx];
    __syncthreads();

    const int count = min(block, n - first);
    for (int k = 0; k < count; ++k) {
      const int j = first + k;
      const float4 slot = tile[k];
      const float distance = squared_distance(own, slot);
      if (j != i && distance < best) {
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
  nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
}

// CAUSE: When the four slices are merged, of equally near points the one of the first slice stays, but a later slice may have a lower index, from an earlier tile.
// LINES: 53
// REPAIR: if (best_of[k][tx] < best || (best_of[k][tx] == best && index_of[k][tx] < best_index)) {
// SYMPTOM: Right for random points and up to 256 points; with more points and equal distances (a grid, duplicates) the index is not always the lowest.

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int width = 64;   // points that a block searches for
constexpr int slices = 4;   // threads per point, each scans a slice of the tile
constexpr int tile_size = width * slices;

__device__ float squared_distance(float3 a, float3 b) {
  const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z;
  return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[tile_size];
  __shared__ float best_of[slices][width];
  __shared__ int index_of[slices][width];

  const int tx = threadIdx.x, ty = threadIdx.y;
  const int rank = ty * width + tx;
  const int i = blockIdx.x * width + tx;
  const float3 own = i < n ? points[i] : make_float3(0, 0, 0);
  float best = FLT_MAX;
  int best_index = -1;

  for (int first = 0; first < n; first += tile_size) {
    if (first + rank < n) tile[rank] = points[first + rank];
    __syncthreads();
    const int end = min((ty + 1) * width, n - first);
    for (int s = ty * width; s < end; ++s) {
      const float d = squared_distance(own, tile[s]);
      if (first + s != i && d < best) {
        best = d;
        best_index = first + s;
      }
    }
    __syncthreads();
  }

  best_of[ty][tx] = best;
  index_of[ty][tx] = best_index;
  __syncthreads();

  if (ty == 0 && i < n) {
    for (int k = 1; k < slices; ++k) {
      if (best_of[k][tx] < best) {
        best = best_of[k][tx];
        best_index = index_of[k][tx];
      }
    }
    nearest[i] = best_index;
  }
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  const int grid = (n + width - 1) / width;
  nearest_kernel<<<grid, dim3(width, slices)>>>(points, nearest, n);
}

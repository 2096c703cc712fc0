// A distance and an index share a number, of which the index has only 12 bits.
// Test: nearest_neighbor is right over many tiles
// Says: was found as a neighbor, as if the search stopped before it

#include <cfloat>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 128;
constexpr int bits = 12;
constexpr unsigned long long none = ~0ull;

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  const float3 own = i < n ? points[i] : float3{};
  unsigned long long best = none;
  for (int first = 0; first < n; first += block) {
    if (first + tx < n) tile[tx] = points[first + tx];
    __syncthreads();
    for (int k = 0; k < min(block, n - first); ++k) {
      const int j = first + k;
      const float x = own.x - tile[k].x, y = own.y - tile[k].y, z = own.z - tile[k].z;
      const float distance = x * x + y * y + z * z;
      if (!(distance < FLT_MAX) || j == i) continue;
      const unsigned long long high = __float_as_uint(distance);
      best = min(best, high << bits | (j & ((1 << bits) - 1)));
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = best == none ? -1 : static_cast<int>(best & ((1 << bits) - 1));
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) nearest_kernel<<<(n + block - 1) / block, block>>>(points, nearest, n);
}

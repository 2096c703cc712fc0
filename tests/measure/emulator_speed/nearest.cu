// All pairs with tiles: the kernel that measures the emulator's speed.

#include "nearest.h"

namespace {

constexpr int block = 128;

__global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const float3 own = i < n ? points[i] : make_float3(0, 0, 0);
  float best = 1e30f;
  int index = -1;
  for (int begin = 0; begin < n; begin += block) {
    if (begin + threadIdx.x < n) tile[threadIdx.x] = points[begin + threadIdx.x];
    __syncthreads();
    const int count = min(block, n - begin);
    for (int j = 0; j < count; ++j) {
      const float x = tile[j].x - own.x;
      const float y = tile[j].y - own.y;
      const float z = tile[j].z - own.z;
      const float distance = x * x + y * y + z * z;
      if (distance < best && begin + j != i) {
        best = distance;
        index = begin + j;
      }
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = index;
}

}  // namespace

void nearest(const float3* points, int* result, int n) {
  nearest_kernel<<<(n + block - 1) / block, block>>>(points, result, n);
}

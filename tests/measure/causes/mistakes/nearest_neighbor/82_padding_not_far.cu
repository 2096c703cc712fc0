// CAUSE: The empty slots of the last tile are filled with a point at 1e9, which is far but at a finite distance. If no real point is nearer, this padding is taken for a neighbor. It has to be at infinity, so that its distance is never less than anything.
// LINES: 14
// REPAIR: line 14: `constexpr float kFar = 1e9f; // where points are put that do not exist` -> `constexpr float kFar = INFINITY; // where points are put that do not exist`
// SYMPTOM: For n = 1 (and for points that are far away or at no finite distance) the answer is an index >= n instead of -1 or of the right one.

#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int kBlock = 128;
constexpr float kFar = 1e9f;  // where points are put that do not exist

struct Best {
  float distance = FLT_MAX;
  int index = -1;

  __device__ void offer(float d, int j) {
    if (d < distance) {
      distance = d;
      index = j;
    }
  }
};

__device__ float4 pointOrPadding(const float3* points, int j, int n) {
  if (j >= n) return make_float4(kFar, kFar, kFar, 0);
  const float3 p = points[j];
  return make_float4(p.x, p.y, p.z, 0);
}

__device__ float distance2(float4 p, float4 q) {
  p.x -= q.x;
  p.y -= q.y;
  p.z -= q.z;
  return p.x * p.x + p.y * p.y + p.z * p.z;
}

__global__ void nearestKernel(const float3* points, int* nearest, int n) {
  __shared__ float4 tile[kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  const float4 me = pointOrPadding(points, i, n);
  Best best;

  for (int first = 0; first < n; first += kBlock) {
    tile[threadIdx.x] = pointOrPadding(points, first + threadIdx.x, n);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < kBlock; ++k) {
      if (first + k != i) best.offer(distance2(tile[k], me), first + k);
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = best.index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  const int blocks = (n + kBlock - 1) / kBlock;
  if (blocks > 0) nearestKernel<<<blocks, kBlock>>>(points, nearest, n);
}

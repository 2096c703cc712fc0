// CAUSE: The search begins with a distance of 1e9, not FLT_MAX. Points whose squared distance is more are never taken.
// LINES: 14
// REPAIR: line 14: `constexpr float far_away = 1e9f;  // no distance is larger` -> `constexpr float far_away = FLT_MAX;  // no distance is larger`
// SYMPTOM: -1 for points that are far from all others.

#include <cfloat>
#include <cmath>

#include "nearest_neighbor.h"

namespace {

constexpr int block = 256;
constexpr float far_away = 1e9f;  // no distance is larger

// What a search has found so far.
struct Candidate {
  float distance = far_away;
  int index = -1;

  __device__ void offer(float other, int j) {
    if (other < distance) {
      distance = other;
      index = j;
    }
  }
};

__device__ float distance2(const float4& p, const float4& q) {
  const float x = p.x - q.x;
  const float y = p.y - q.y;
  const float z = p.z - q.z;
  return x * x + y * y + z * z;
}

__device__ float4 load(const float3* points, int j, int n) {
  if (j >= n) return make_float4(INFINITY, INFINITY, INFINITY, 0);
  const float3 p = points[j];
  return make_float4(p.x, p.y, p.z, 0);
}

__global__ void search(const float3* points, int* nearest, int n) {
  __shared__ float4 slots[block];
  const int i = blockIdx.x * block + threadIdx.x;
  const float4 own = load(points, i, n);
  Candidate best;
  for (int first = 0; first < n; first += block) {
    __syncthreads();
    slots[threadIdx.x] = load(points, first + threadIdx.x, n);
    __syncthreads();
#pragma unroll 4
    for (int s = 0; s < block; ++s) {
      if (first + s != i) best.offer(distance2(own, slots[s]), first + s);
    }
  }
  if (i < n) nearest[i] = best.index;
}

}  // namespace

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  search<<<(n + block - 1) / block, block>>>(points, nearest, n);
}

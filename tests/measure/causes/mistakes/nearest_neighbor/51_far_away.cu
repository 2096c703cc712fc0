// CAUSE: The search starts with a least distance of 1e6 instead of FLT_MAX, so it never takes a point whose squared distance is 1e6 or more.
// LINES: 11
// REPAIR: line 11: `static const float MAX_DIST = 1e6f;` -> `static const float MAX_DIST = FLT_MAX;`
// SYMPTOM: -1 for points whose nearest neighbor is 1000 or more away, though it is at a finite distance.
#include "nearest_neighbor.h"

#include <cfloat>

#define BLOCK 128

static const float MAX_DIST = 1e6f;

__global__ void nearestKernel(const float3* points, int* nearest, int n) {
  __shared__ float3 sh[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;

  float3 me = make_float3(0.0f, 0.0f, 0.0f);
  if (i < n) me = points[i];

  float minDist = MAX_DIST;
  int minIdx = -1;

  int numTiles = (n + BLOCK - 1) / BLOCK;
  for (int t = 0; t < numTiles; t++) {
    int src = t * BLOCK + threadIdx.x;
    if (src < n) sh[threadIdx.x] = points[src];
    __syncthreads();

    for (int k = 0; k < BLOCK; k++) {
      int j = t * BLOCK + k;
      if (j >= n) break;
      if (j == i) continue;
      float dx = me.x - sh[k].x;
      float dy = me.y - sh[k].y;
      float dz = me.z - sh[k].z;
      float d = dx * dx + dy * dy + dz * dz;
      if (d < minDist) {
        minDist = d;
        minIdx = j;
      }
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = minIdx;
}

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n == 0) return;
  nearestKernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(points, nearest, n);
}

// CAUSE: To leave out its own point, the thread skips slot tx of every tile; but that slot holds the thread's own point only in one tile, and other candidates in the rest.
// LINES: 32
// REPAIR: line 32: `if (k == tx) continue;` -> `if (first + k == i) continue;`
// SYMPTOM: For n > 256, a nearest point whose index differs by a multiple of 256 is not found.

#include <cfloat>

#include "nearest_neighbor.h"

#define BLOCK 256

static __global__ void nearest_kernel(const float3* points, int* nearest, int n) {
  __shared__ float3 tile[BLOCK];
  int tx = threadIdx.x;
  int i = blockIdx.x * BLOCK + tx;
  float3 me = {0.0f, 0.0f, 0.0f};
  if (i < n) {
    me = points[i];
  }
  float best = FLT_MAX;
  int answer = -1;

  int first = 0;
  while (first < n) {
    int last = n - first < BLOCK ? n - first : BLOCK;
    if (tx < last) {
      tile[tx] = points[first + tx];
    }
    __syncthreads();

    for (int k = 0; k < last; k++) {
      if (k == tx) continue;
      float dx = tile[k].x - me.x;
      float dy = tile[k].y - me.y;
      float dz = tile[k].z - me.z;
      float d = dx * dx + dy * dy + dz * dz;
      if (d < best) {
        best = d;
        answer = first + k;
      }
    }
    __syncthreads();
    first += BLOCK;
  }

  if (i < n) {
    nearest[i] = answer;
  }
}

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n > 0) {
    int blocks = (n + BLOCK - 1) / BLOCK;
    nearest_kernel<<<blocks, BLOCK>>>(points, nearest, n);
  }
}

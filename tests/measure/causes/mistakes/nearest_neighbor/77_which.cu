// CAUSE: The slot in the tile is kept as the answer, not the index of the point in the whole array.
// LINES: 46
// REPAIR: min_pos = other;
// SYMPTOM: Answers are right only if the nearest point is in the first tile; all are below 256.

// One array in shared memory per coordinate. The last tile is filled up with points at infinity.
#include <math.h>
#include <float.h>

#include "nearest_neighbor.h"

#define THREADS 256

__device__ static float square(float d) { return d * d; }

static __global__ void search(const float3* p, int* result, int n) {
  extern __shared__ float shared[];
  float* xs = shared;
  float* ys = xs + THREADS;
  float* zs = ys + THREADS;

  int me = blockIdx.x * blockDim.x + threadIdx.x;
  float x = 0, y = 0, z = 0;
  if (me < n) {
    x = p[me].x;
    y = p[me].y;
    z = p[me].z;
  }

  float min_dist = FLT_MAX;
  int min_pos = -1;

  int tiles = (n + THREADS - 1) / THREADS;
  for (int t = 0; t < tiles; t++) {
    int from = t * THREADS + threadIdx.x;
    xs[threadIdx.x] = from < n ? p[from].x : INFINITY;
    ys[threadIdx.x] = from < n ? p[from].y : INFINITY;
    zs[threadIdx.x] = from < n ? p[from].z : INFINITY;
    __syncthreads();

    for (int s = 0; s < THREADS; s++) {
      int other = t * THREADS + s;
      float d = square(xs[s] - x) + square(ys[s] - y) + square(zs[s] - z);
      if (other != me && d < min_dist) {
        min_dist = d;
        min_pos = s;
      }
    }
    __syncthreads();
  }

  if (me < n) {
    result[me] = min_pos;
  }
}

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n <= 0) return;
  int blocks = (n + THREADS - 1) / THREADS;
  size_t bytes = 3 * THREADS * sizeof(float);
  search<<<blocks, THREADS, bytes>>>(points, nearest, n);
}

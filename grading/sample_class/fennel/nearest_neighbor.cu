#include "nearest_neighbor.h"

const int BLOCK_SIZE = 128;

__global__ void sharedNearest(const float3* points, int* nearest, int n) {
  __shared__ float3 s[BLOCK_SIZE];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * BLOCK_SIZE + tx;
  float3 me = make_float3(0, 0, 0);
  if (i < n) me = points[i];

  float smallest = 3.40282e38f;
  int found = -1;
  const int tiles = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
  for (int t = 0; t < tiles; ++t) {
    const int start = t * BLOCK_SIZE;
    if (start + tx < n) s[tx] = points[start + tx];
    __syncthreads();
    const int filled = (n - start < BLOCK_SIZE) ? n - start : BLOCK_SIZE;
    // From the end, because comparing with 0 is cheaper. The order makes no difference. Or does it?
    for (int k = filled - 1; k >= 0; --k) {
      const float dx = me.x - s[k].x;
      const float dy = me.y - s[k].y;
      const float dz = me.z - s[k].z;
      const float d = dx * dx + dy * dy + dz * dz;
      if (start + k != i && d < smallest) {
        smallest = d;
        found = start + k;
      }
    }
    __syncthreads();
  }
  if (i < n) nearest[i] = found;
}

void nearest_neighbor(const float3* points, int* nearest, int n) {
  if (n <= 0) return;
  sharedNearest<<<(n + BLOCK_SIZE - 1) / BLOCK_SIZE, BLOCK_SIZE>>>(points, nearest, n);
}

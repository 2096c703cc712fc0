// CAUSE: The scan always runs over all 128 slots, but in the last tile only n - base of them hold points of this tile: the others hold points of the tile before, or nothing.
// LINES: 37
// REPAIR: line 37: `for (int k = 0; k < THREADS; k++) {` -> `for (int k = 0; k < THREADS && base + k < n; k++) {`
// SYMPTOM: Unless n is a multiple of 128, slots that were not loaded are read for n < 128, and for larger n a point finds its own copy of the tile before and gets an index >= n.
#include <cfloat>

#include "nearest_neighbor.h"

#define THREADS 128

__device__ float dist2(float3 p, float3 q)
{
    float dx = p.x - q.x;
    float dy = p.y - q.y;
    float dz = p.z - q.z;
    return dx * dx + dy * dy + dz * dz;
}

__global__ void findNearest(const float3 *points, int *nearest, int n)
{
    __shared__ float3 pts[THREADS];
    int t = threadIdx.x;
    int me = blockIdx.x * THREADS + t;

    float3 p = make_float3(0, 0, 0);
    if (me < n)
        p = points[me];

    float best = FLT_MAX;
    int bestIndex = -1;

    for (int base = 0; base < n; base += THREADS) {
        if (base + t < n)
            pts[t] = points[base + t];
        __syncthreads();

        for (int k = 0; k < THREADS; k++) {
            int j = base + k;
            if (j == me)
                continue;
            float d = dist2(p, pts[k]);
            if (d < best) {
                best = d;
                bestIndex = j;
            }
        }
        __syncthreads();
    }

    if (me < n)
        nearest[me] = bestIndex;
}

void nearest_neighbor(const float3 *points, int *nearest, int n)
{
    if (n > 0)
        findNearest<<<(n + THREADS - 1) / THREADS, THREADS>>>(points, nearest, n);
}

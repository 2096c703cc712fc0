// CAUSE: The distance of the second point is compared with bestA, the least distance of the first one, instead of bestB.
// LINES: 44
// REPAIR: line 44: `if (j != b && dB < bestA) {` -> `if (j != b && dB < bestB) {`
// SYMPTOM: The first half of each block's 256 points is right; the others get a later point that is not the nearest, or -1.
#include <cfloat>

#include "nearest_neighbor.h"

#define BLOCK 128

__device__ inline float sqDist(float3 a, float3 b)
{
    float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return x * x + y * y + z * z;
}

// Each thread searches for two points, a and b.
__global__ void nearestTwo(const float3 *points, int *nearest, int n)
{
    __shared__ float3 tile[BLOCK];
    int tid = threadIdx.x;
    int a = blockIdx.x * 2 * BLOCK + tid;
    int b = a + BLOCK;
    float3 pa = points[a < n ? a : 0];
    float3 pb = points[b < n ? b : 0];
    float bestA = FLT_MAX, bestB = FLT_MAX;
    int indexA = -1, indexB = -1;

    for (int base = 0; base < n; base += BLOCK) {
        int count = n - base < BLOCK ? n - base : BLOCK;
        if (tid < count)
            tile[tid] = points[base + tid];
        __syncthreads();

        for (int k = 0; k < count; k++) {
            float3 q = tile[k];
            int j = base + k;
            float dA = sqDist(pa, q);
            float dB = sqDist(pb, q);
            if (j != a && dA < bestA) {
                bestA = dA;
                indexA = j;
            }
            if (j != b && dB < bestA) {
                bestB = dB;
                indexB = j;
            }
        }
        __syncthreads();
    }

    if (a < n)
        nearest[a] = indexA;
    if (b < n)
        nearest[b] = indexB;
}

void nearest_neighbor(const float3 *points, int *nearest, int n)
{
    if (n == 0)
        return;
    int blocks = (n + 2 * BLOCK - 1) / (2 * BLOCK);
    nearestTwo<<<blocks, BLOCK>>>(points, nearest, n);
}

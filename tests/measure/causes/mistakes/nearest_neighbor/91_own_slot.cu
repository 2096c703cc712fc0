// CAUSE: The test that leaves out a thread's own point compares the slot with the thread's index in the block. In the other tiles that slot holds another point, so the global index of the point, first + j, has to be compared with i.
// LINES: 38
// REPAIR: line 38: `if (j == tx)` -> `if (first + j == i)`
// SYMPTOM: A thread never considers the point in its own slot of the other tiles, so some answers are farther points.

#include <cfloat>

#include "nearest_neighbor.h"

#define POINTS_PER_TILE 128

__global__ void findNearest(const float3* points, int* nearest, int n)
{
    __shared__ float3 tile[POINTS_PER_TILE];

    int tx = threadIdx.x;
    int i = blockIdx.x * POINTS_PER_TILE + tx;

    float3 me = make_float3(0.0f, 0.0f, 0.0f);
    if (i < n)
    {
        me = points[i];
    }

    float bestDistance = FLT_MAX;
    int bestIndex = -1;

    for (int first = 0; first < n; first += POINTS_PER_TILE)
    {
        if (first + tx < n)
        {
            tile[tx] = points[first + tx];
        }
        __syncthreads();

        for (int j = 0; j < POINTS_PER_TILE && first + j < n; j++)
        {
            if (j == tx)
            {
                continue;
            }
            float dx = tile[j].x - me.x;
            float dy = tile[j].y - me.y;
            float dz = tile[j].z - me.z;
            float distance = dx * dx + dy * dy + dz * dz;
            if (distance < bestDistance)
            {
                bestDistance = distance;
                bestIndex = first + j;
            }
        }
        __syncthreads();
    }

    if (i < n)
    {
        nearest[i] = bestIndex;
    }
}

void nearest_neighbor(const float3* points, int* nearest, int n)
{
    if (n > 0)
    {
        int blocks = (n + POINTS_PER_TILE - 1) / POINTS_PER_TILE;
        findNearest<<<blocks, POINTS_PER_TILE>>>(points, nearest, n);
    }
}

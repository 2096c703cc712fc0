// CAUSE: The scan goes through all slots of the tile, also in the last tile, whose upper slots still hold points of the tile before or nothing at all.
// LINES: 45
// REPAIR: before line 45: add `if (n - start < count)`; before line 45: add `{`; before line 45: add `count = n - start;`; before line 45: add `}`
// SYMPTOM: Indexes of n and more are found, and slots are read that nobody has filled.

#include <cfloat>

#include "nearest_neighbor.h"

#define BLOCK 128

__global__ void findNearest(const float3* points, int* nearest, int n)
{
    __shared__ float px[BLOCK];
    __shared__ float py[BLOCK];
    __shared__ float pz[BLOCK];

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;

    float x = 0.0f;
    float y = 0.0f;
    float z = 0.0f;
    if (i < n)
    {
        x = points[i].x;
        y = points[i].y;
        z = points[i].z;
    }

    float least = FLT_MAX;
    int answer = -1;
    for (int start = 0; start < n; start += BLOCK)
    {
        int j = start + t;
        if (j < n)
        {
            px[t] = points[j].x;
            py[t] = points[j].y;
            pz[t] = points[j].z;
        }
        __syncthreads();

        int count = BLOCK;
        for (int s = 0; s < count; s++)
        {
            float dx = px[s] - x;
            float dy = py[s] - y;
            float dz = pz[s] - z;
            float distance = dx * dx + dy * dy + dz * dz;
            if (start + s != i && distance < least)
            {
                least = distance;
                answer = start + s;
            }
        }
        __syncthreads();
    }

    if (i < n)
    {
        nearest[i] = answer;
    }
}

void nearest_neighbor(const float3* points, int* nearest, int n)
{
    if (n > 0)
    {
        int blocks = (n + BLOCK - 1) / BLOCK;
        findNearest<<<blocks, BLOCK>>>(points, nearest, n);
    }
}

// CAUSE: Threads past the end return before the loop, but they are needed to load points and have to reach the barriers.
// LINES: 21 22 23 24
// REPAIR: delete line 21: `if (i >= n)`; delete line 22: `{`; delete line 23: `return;`; delete line 24: `}`
// SYMPTOM: Divergent barriers in the last block, and slots of each tile that the missing threads should have filled.

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

    if (i >= n)
    {
        return;
    }
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
        if (n - start < count)
        {
            count = n - start;
        }
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

// CAUSE: The second barrier stands behind the loop over the tiles instead of at its end. So a fast thread loads the next tile while slow ones still scan this one.
// LINES: after 50, 52
// REPAIR: insert `__syncthreads();` after line 50; delete `__syncthreads();` (line 52)
// GOOD HINT: After a thread has scanned its tile, what does it do next in the following round? What may the other threads still be doing at this time - and how often does your last barrier run?
// SYMPTOM: Race between loading the next tile and scanning this one as soon as there are two tiles (n > 256): sporadic wrong answers.
#include <cfloat>
#include "nearest_neighbor.h"

#define BLOCK 256

__device__ float squared_distance(float3 a, float3 b)
{
    float dx = a.x - b.x;
    float dy = a.y - b.y;
    float dz = a.z - b.z;
    return dx * dx + dy * dy + dz * dz;
}

__global__ void nearest_kernel(const float3* points, int* nearest, int n)
{
    __shared__ float3 tile[BLOCK];

    int tx = threadIdx.x;
    int i = blockIdx.x * BLOCK + tx;

    float3 own = make_float3(0, 0, 0);
    if (i < n)
        own = points[i];

    float best = FLT_MAX;
    int best_index = -1;

    for (int first = 0; first < n; first += BLOCK)
    {
        // load
        if (first + tx < n)
            tile[tx] = points[first + tx];

        __syncthreads();

        // scan
        for (int k = 0; k < BLOCK && first + k < n; k++)
        {
            float d = squared_distance(own, tile[k]);
            if (first + k != i && d < best)
            {
                best = d;
                best_index = first + k;
            }
        }
    }
    __syncthreads();

    if (i < n)
        nearest[i] = best_index;
}

void nearest_neighbor(const float3* points, int* nearest, int n)
{
    if (n == 0)
        return;
    int blocks = (n + BLOCK - 1) / BLOCK;
    nearest_kernel<<<blocks, BLOCK>>>(points, nearest, n);
}

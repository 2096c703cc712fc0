// CAUSE: The second pass is told that there are n numbers in `work`, but there is only one sum per block.
// LINES: 40
// REPAIR: line 40: `partialSums<<<1, BLOCK>>>(work, out, n);` -> `partialSums<<<1, BLOCK>>>(work, out, grid);`
// SYMPTOM: The second pass reads slots of `work` that nobody wrote, and reads past its end for n > 66; the sum is wrong except where those happen to be zero.
#include "reduction.h"

#define BLOCK 256
#define MAX_GRID 1024

// Every block adds up its share of the numbers and stores one sum.
__global__ void partialSums(const float *numbers, float *sums, int n)
{
    __shared__ float cache[BLOCK];
    int tid = threadIdx.x;

    float mine = 0.0f;
    for (int i = blockIdx.x * BLOCK + tid; i < n; i += gridDim.x * BLOCK)
        mine += numbers[i];
    cache[tid] = mine;
    __syncthreads();

    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (tid < s)
            cache[tid] += cache[tid + s];
        __syncthreads();
    }
    if (tid == 0)
        sums[blockIdx.x] = cache[0];
}

void sum(const float *in, float *out, float *work, int n)
{
    int grid = (n + BLOCK - 1) / BLOCK;
    if (grid > MAX_GRID)
        grid = MAX_GRID;
    if (grid == 0)
        grid = 1;

    partialSums<<<grid, BLOCK>>>(in, work, n);
    partialSums<<<1, BLOCK>>>(work, out, n);
}

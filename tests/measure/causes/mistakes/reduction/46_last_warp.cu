// CAUSE: In the last five rounds the lanes of the warp do not wait for each other: __syncwarp() is missing after each round. And for n = 0 the function returns without storing the sum, which is 0.
// LINES: 33, 42
// REPAIR: line 33: `}` -> `__syncwarp(); }`; line 42: `return;` -> `{ sumKernel<<<1, BLOCK>>>(in, out, 0); return; }`
// SYMPTOM: A data race on the tile among the lanes of warp 0 (seldom visible on a GPU); for n = 0 `out` keeps what it held.
#include "reduction.h"

#define BLOCK 128
#define MAX_GRID 2048

__global__ void sumKernel(const float *values, float *sums, int n)
{
    __shared__ float cache[BLOCK];
    int tid = threadIdx.x;
    int stride = gridDim.x * BLOCK;

    float total = 0.0f;
    for (int i = blockIdx.x * BLOCK + tid; i < n; i += stride)
        total += values[i];
    cache[tid] = total;
    __syncthreads();

    for (int s = BLOCK / 2; s >= 32; s >>= 1) {
        if (tid < s)
            cache[tid] += cache[tid + s];
        __syncthreads();
    }

    // one warp is left
    if (tid < 32) {
        for (int s = 16; s > 0; s >>= 1) {
            if (tid < s)
                cache[tid] += cache[tid + s];
        }
        if (tid == 0)
            sums[blockIdx.x] = cache[0];
    }
}

void sum(const float *in, float *out, float *work, int n)
{
    if (n == 0)
        return;

    int grid = (n + BLOCK - 1) / BLOCK;
    if (grid > MAX_GRID)
        grid = MAX_GRID;
    sumKernel<<<grid, BLOCK>>>(in, work, n);
    sumKernel<<<1, BLOCK>>>(work, out, grid);
}

// CAUSE: Each pass reads its input from work and stores its sums to the beginning of work, too. A block may overwrite numbers that another block has not read yet; the sums have to go behind the input.
// LINES: 51
// REPAIR: before line 51: add `target = target + blocks;`
// SYMPTOM: Data races between blocks of the second pass as soon as there are three passes.

#include "reduction.h"

#define BLOCK 256

__global__ void sumTiles(const float* in, float* out, int n)
{
    __shared__ float tile[BLOCK];

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    if (i < n)
    {
        tile[t] = in[i];
    }
    else
    {
        tile[t] = 0.0f;
    }
    __syncthreads();

    for (int half = BLOCK / 2; half > 0; half = half / 2)
    {
        if (t < half)
        {
            tile[t] = tile[t] + tile[t + half];
        }
        __syncthreads();
    }

    if (t == 0)
    {
        out[blockIdx.x] = tile[0];
    }
}

void sum(const float* in, float* out, float* work, int n)
{
    const float* source = in;
    float* target = work;
    int left = n;
    while (left > BLOCK)
    {
        int blocks = (left + BLOCK - 1) / BLOCK;
        sumTiles<<<blocks, BLOCK>>>(source, target, left);
        source = target;
        left = blocks;
    }
    sumTiles<<<1, BLOCK>>>(source, out, left);
}

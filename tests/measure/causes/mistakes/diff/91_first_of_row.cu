// CAUSE: The thread that has no left neighbor in the tile is the first one of each block, tx == 0. The condition asks for the first element of the row instead, so thread 0 of every later block reads tile[-1].
// LINES: 26
// REPAIR: line 26: `if (i > 0)` -> `if (tx > 0)`
// SYMPTOM: Read outside the tile in each block but the first, and a wrong difference at each block's first element.

#include "diff.h"

#define BLOCK_SIZE 256

__global__ void differenceKernel(const int* in, int* out, int n)
{
    __shared__ int tile[BLOCK_SIZE];

    int tx = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + tx;

    if (i < n)
    {
        tile[tx] = in[i];
    }
    __syncthreads();

    if (i < n)
    {
        int left;
        if (i > 0)
        {
            left = tile[tx - 1];
        }
        else if (blockIdx.x > 0)
        {
            left = in[i - 1];
        }
        else
        {
            left = 0;
        }
        out[i] = tile[tx] - left;
    }
}

void diff(const int* in, int* out, int n)
{
    if (n == 0)
    {
        return;
    }
    int numBlocks = (n + BLOCK_SIZE - 1) / BLOCK_SIZE;
    differenceKernel<<<numBlocks, BLOCK_SIZE>>>(in, out, n);
}

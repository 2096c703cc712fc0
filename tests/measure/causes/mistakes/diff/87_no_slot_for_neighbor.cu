// CAUSE: The tile has a slot for each thread, but none for the left neighbor of thread 0, which takes slot 0 and moves all others one further.
// LINES: 12
// REPAIR: line 12: `[BLOCK_SIZE];` -> `[BLOCK_SIZE + 1];`
// SYMPTOM: The last thread of each block stores past the end of the tile.

#include "diff.h"

#define BLOCK_SIZE 256

__global__ void differences(const int* in, int* out, int n)
{
    __shared__ int row[BLOCK_SIZE];

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + t;

    if (i < n)
    {
        row[t + 1] = in[i];
        if (t == 0)
        {
            if (i > 0)
            {
                row[0] = in[i - 1];
            }
            else
            {
                row[0] = 0;
            }
        }
    }
    __syncthreads();

    if (i < n)
    {
        int left = row[t];
        int own = row[t + 1];
        out[i] = own - left;
    }
}

void diff(const int* in, int* out, int n)
{
    if (n == 0)
    {
        return;
    }
    int blocks = n / BLOCK_SIZE;
    if (n % BLOCK_SIZE != 0)
    {
        blocks++;
    }
    differences<<<blocks, BLOCK_SIZE>>>(in, out, n);
}

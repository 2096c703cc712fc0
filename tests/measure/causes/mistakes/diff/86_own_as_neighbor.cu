// CAUSE: Thread 0 loads its own element into the slot of its left neighbor, the index lacks a - 1.
// LINES: 24
// REPAIR: line 24: `in[i];` -> `in[i - 1];`
// SYMPTOM: The first difference of each block but the first is 0.

#include "diff.h"

#define BLOCK_SIZE 256

__global__ void differences(const int* in, int* out, int n)
{
    __shared__ int row[BLOCK_SIZE + 1];

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK_SIZE + t;

    if (i < n)
    {
        row[t + 1] = in[i];
        if (t == 0)
        {
            if (i > 0)
            {
                row[0] = in[i];
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

// CAUSE: A thread adds the block's sum to the count in global memory with a plain +=, but other blocks do the same at the same time.
// LINES: 43
// REPAIR: line 43: `counts[t] += sum;` -> `atomicAdd(&counts[t], sum);`
// SYMPTOM: Additions to the counts get lost; data races in global memory between blocks.

#include "histogram.h"

#define THREADS 256
#define VALUES 256
#define COPIES 32

__global__ void countBytes(const unsigned char* in, unsigned* counts, int n)
{
    __shared__ unsigned bins[VALUES][COPIES];

    int t = threadIdx.x;
    int lane = t % COPIES;
    int warp = t / COPIES;

    for (int v = warp; v < VALUES; v += THREADS / COPIES)
    {
        bins[v][lane] = 0;
    }
    __syncthreads();

    int start = blockIdx.x * THREADS + t;
    int stride = gridDim.x * THREADS;
    for (int i = start; i < n; i += stride)
    {
        unsigned char value = in[i];
        atomicAdd(&bins[value][lane], 1u);
    }
    __syncthreads();

    unsigned sum = 0;
    for (int c = 0; c < COPIES; c++)
    {
        int copy = (c + lane) % COPIES;
        sum = sum + bins[t][copy];
    }
    if (sum > 0)
    {
        counts[t] += sum;
    }
}

void histogram(const unsigned char* in, unsigned* counts, int n)
{
    if (n == 0)
    {
        return;
    }
    int share = 16 * 1024;
    int blocks = (n + share - 1) / share;
    if (blocks > 8 * 132)
    {
        blocks = 8 * 132;
    }
    countBytes<<<blocks, THREADS>>>(in, counts, n);
}

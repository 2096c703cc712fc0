// CAUSE: Every pass after the first reads its input from work and stores its sums at the beginning of work as well. Block 1 overwrites work[1] while block 0 may not have loaded it yet, so the sums of a pass have to go to another part of work.
// LINES: 66
// REPAIR: line 66: `free_place = work;` -> `free_place = free_place + blocks;`
// SYMPTOM: From 65,537 elements on (three passes), the blocks of the second pass race for work, and the sum depends on the order of the blocks.

#include "reduction.h"

#define THREADS 256

__global__ void sumBlocks(const float* input, float* output, int count)
{
    __shared__ float values[THREADS];

    int tid = threadIdx.x;
    int index = blockIdx.x * THREADS + tid;

    if (index < count)
    {
        values[tid] = input[index];
    }
    else
    {
        values[tid] = 0.0f;
    }
    __syncthreads();

    int half = THREADS / 2;
    while (half > 0)
    {
        if (tid < half)
        {
            values[tid] = values[tid] + values[tid + half];
        }
        __syncthreads();
        half = half / 2;
    }

    if (tid == 0)
    {
        output[blockIdx.x] = values[0];
    }
}

void sum(const float* in, float* out, float* work, int n)
{
    if (n == 0)
    {
        sumBlocks<<<1, THREADS>>>(in, out, 0);
        return;
    }

    const float* source = in;
    float* free_place = work;
    int count = n;

    while (true)
    {
        int blocks = (count + THREADS - 1) / THREADS;
        if (blocks == 1)
        {
            sumBlocks<<<1, THREADS>>>(source, out, count);
            break;
        }
        sumBlocks<<<blocks, THREADS>>>(source, free_place, count);
        source = free_place;
        free_place = work;
        count = blocks;
    }
}

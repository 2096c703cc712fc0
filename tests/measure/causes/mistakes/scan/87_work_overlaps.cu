// CAUSE: The nested call gets the same part of work for its own sums that also holds its results, work + blocks instead of work + 2 * blocks.
// LINES: 71
// REPAIR: line 71: `work + blocks` -> `work + 2 * blocks`
// SYMPTOM: Wrong results with more than one tile: the sum of a tile of sums overwrites prefix sums, and there are data races between blocks.

#include "scan.h"

#define BLOCK 256

__global__ void scanTiles(const unsigned* in, unsigned* out, unsigned* sums, int n)
{
    __shared__ unsigned buffer[2][BLOCK];

    int t = threadIdx.x;
    int i = blockIdx.x * BLOCK + t;
    unsigned value = 0;
    if (i < n)
    {
        value = in[i];
    }
    buffer[0][t] = value;
    __syncthreads();

    int source = 0;
    for (int distance = 1; distance < BLOCK; distance = distance * 2)
    {
        int target = 1 - source;
        if (t >= distance)
        {
            buffer[target][t] = buffer[source][t] + buffer[source][t - distance];
        }
        else
        {
            buffer[target][t] = buffer[source][t];
        }
        __syncthreads();
        source = target;
    }

    if (i < n)
    {
        out[i] = buffer[source][t];
    }
    if (t == BLOCK - 1)
    {
        sums[blockIdx.x] = buffer[source][t];
    }
}

__global__ void addBefore(unsigned* out, const unsigned* scanned, int n)
{
    int i = blockIdx.x * BLOCK + threadIdx.x;
    if (blockIdx.x > 0 && i < n)
    {
        out[i] = out[i] + scanned[blockIdx.x - 1];
    }
}

void scan(const unsigned* in, unsigned* out, unsigned* work, int n)
{
    if (n == 0)
    {
        return;
    }
    int blocks = (n + BLOCK - 1) / BLOCK;
    unsigned* sums = work;
    unsigned* scanned = work + blocks;
    scanTiles<<<blocks, BLOCK>>>(in, out, sums, n);
    if (blocks > 1)
    {
        unsigned* rest = work + blocks;
        scan(sums, scanned, rest, blocks);
        addBefore<<<blocks, BLOCK>>>(out, scanned, n);
    }
}

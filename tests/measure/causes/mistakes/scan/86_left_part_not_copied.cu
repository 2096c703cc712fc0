// CAUSE: In a round, threads with nothing to their left do not copy their sum to the other buffer, so that buffer keeps what it held two rounds before, or nothing.
// LINES: 32
// REPAIR: before line 32: add `else`; before line 32: add `{`; before line 32: add `buffer[target][t] = buffer[source][t];`; before line 32: add `}`
// SYMPTOM: Uninitialized reads from the first rounds on, and wrong sums at the start of each tile.

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
        unsigned* rest = work + 2 * blocks;
        scan(sums, scanned, rest, blocks);
        addBefore<<<blocks, BLOCK>>>(out, scanned, n);
    }
}

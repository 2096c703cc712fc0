// CAUSE: A block has 128 threads, but one thread empties and merges only one bin: bins 128 to 255 are neither set to 0 nor added to the counts.
// LINES: 16, 24
// REPAIR: line 16: `bins[tid] = 0;` -> `for (int v = tid; v < 256; v += THREADS) bins[v] = 0;`; line 24: `atomicAdd(&counts[tid], bins[tid]);` -> `for (int v = tid; v < 256; v += THREADS) atomicAdd(&counts[v], bins[v]);`
// SYMPTOM: Bytes of 128 and above are not counted, and their bins are used without ever having been set.
#include "histogram.h"

#define THREADS 128
#define MAX_BLOCKS 1056
#define BYTES_PER_BLOCK 16384

__global__ void countBytes(const unsigned char *in, unsigned *counts, int n)
{
    __shared__ unsigned bins[256];
    int tid = threadIdx.x;

    bins[tid] = 0;
    __syncthreads();

    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + tid; i < n; i += stride)
        atomicAdd(&bins[in[i]], 1u);
    __syncthreads();

    atomicAdd(&counts[tid], bins[tid]);
}

void histogram(const unsigned char *in, unsigned *counts, int n)
{
    if (n == 0)
        return;
    int blocks = (n + BYTES_PER_BLOCK - 1) / BYTES_PER_BLOCK;
    if (blocks > MAX_BLOCKS)
        blocks = MAX_BLOCKS;
    countBytes<<<blocks, THREADS>>>(in, counts, n);
}

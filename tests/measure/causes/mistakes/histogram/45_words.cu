// CAUSE: The counts are set to 0 before counting, but the function has to add to what they hold.
// LINES: 53
// REPAIR: line 53: `clearKernel<<<1, 256>>>(counts);` -> ``
// SYMPTOM: Right only if all counts were 0 before: otherwise what earlier pieces of the file had counted is lost.
#include "histogram.h"

#define BLOCK 256
#define SHARE (16 * 1024)
#define MAX_GRID (8 * 132)

__global__ void clearKernel(unsigned *counts)
{
    counts[threadIdx.x] = 0;
}

__global__ void countKernel(const unsigned char *in, unsigned *counts, int n)
{
    __shared__ unsigned hist[256];
    int tid = threadIdx.x;
    hist[tid] = 0;
    __syncthreads();

    // four bytes at a time
    const unsigned *words = (const unsigned *)in;
    int nWords = n / 4;
    int start = blockIdx.x * BLOCK + tid;
    int step = gridDim.x * BLOCK;
    for (int i = start; i < nWords; i += step) {
        unsigned w = words[i];
        for (int k = 0; k < 4; k++) {
            atomicAdd(&hist[w & 0xff], 1u);
            w >>= 8;
        }
    }

    // and up to three single ones
    int rest = 4 * nWords + start;
    if (rest < n)
        atomicAdd(&hist[in[rest]], 1u);
    __syncthreads();

    if (hist[tid] > 0)
        atomicAdd(&counts[tid], hist[tid]);
}

void histogram(const unsigned char *in, unsigned *counts, int n)
{
    if (n == 0)
        return;
    int grid = (n + SHARE - 1) / SHARE;
    if (grid > MAX_GRID)
        grid = MAX_GRID;
    clearKernel<<<1, 256>>>(counts);
    countKernel<<<grid, BLOCK>>>(in, counts, n);
}

// CAUSE: The third launch argument is the size of the shared memory in bytes, but it is given as the number of elements.
// LINES: 41
// REPAIR: line 41: `int sharedSize = threadsPerBlock;` -> `int sharedSize = threadsPerBlock * sizeof(int);`
// SYMPTOM: Only a quarter of the tile exists: threads from 128 / 4 = 32 on access shared memory past its end.
#include "diff.h"

static const int threadsPerBlock = 128;

__global__ void adjacentDifference(const int *in, int *out, int n)
{
    extern __shared__ int tile[];   // one element per thread

    int tid = threadIdx.x;
    int idx = blockIdx.x * blockDim.x + tid;
    bool inside = idx < n;

    if (inside)
        tile[tid] = in[idx];
    __syncthreads();

    if (!inside)
        return;

    int previous;
    if (tid != 0)
        previous = tile[tid - 1];
    else if (idx != 0)
        previous = in[idx - 1];
    else
        previous = 0;

    out[idx] = tile[tid] - previous;
}

void diff(const int *in, int *out, int n)
{
    if (n < 1)
        return;

    int numBlocks = (n - 1) / threadsPerBlock + 1;
    int sharedSize = threadsPerBlock;
    adjacentDifference<<<numBlocks, threadsPerBlock, sharedSize>>>(in, out, n);
}

// CAUSE: The barrier is inside the branch of the threads that have an element, so in the last block some threads never reach it.
// LINES: 17
// REPAIR: line 17: `__syncthreads();` -> `} __syncthreads(); if (g < len) {`
// SYMPTOM: If n is no multiple of 256, part of the last block does not reach the barrier (reported as divergent barrier, or a hang); multiples of 256 are fine.
#include "diff.h"

const int kThreads = 256;

__global__ void diffKernel(const int *src, int *dst, int len)
{
    __shared__ int s[kThreads];
    int t = threadIdx.x;
    int g = blockIdx.x * kThreads + t;

    if (g < len) {
        s[t] = src[g];
        __syncthreads();

        int left = 0;            // element 0 has no left neighbor
        if (t > 0)
            left = s[t - 1];
        else if (g > 0)
            left = src[g - 1];   // it is in the tile of another block
        dst[g] = s[t] - left;
    }
}

void diff(const int *in, int *out, int n)
{
    if (n == 0)
        return;
    diffKernel<<<(n + kThreads - 1) / kThreads, kThreads>>>(in, out, n);
}

// CAUSE: The copy of the last tile stops at in[n - 1], but the input has 32 numbers more than there are results, and the last results need them.
// LINES: 24
// REPAIR: line 24: `n - begin` -> `n + taps - 1 - begin`
// SYMPTOM: The last 32 slots of the last tile are read without having been filled; the last results are wrong.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

using ThreadPipe = cuda::pipeline<cuda::thread_scope_thread>;

#define THREADS 256
#define RESULTS 1024
#define NUMBERS (RESULTS + taps - 1)

__device__ void startCopy(float* slot, const float* in, int t, int numTiles, int n,
                          ThreadPipe& pipe)
{
    if (t < numTiles)
    {
        int begin = t * RESULTS;
        int left = n - begin;
        int count = NUMBERS;
        if (left < count)
        {
            count = left;
        }
        cuda::memcpy_async(cooperative_groups::this_thread_block(), slot, in + begin,
                           count * sizeof(float), pipe);
    }
    pipe.producer_commit();
}

__global__ void filterTwoSlots(const float* in, float* out, Weights weights, int n)
{
    __shared__ __align__(16) float slots[2][NUMBERS];
    ThreadPipe pipe = cuda::make_pipeline();

    int numTiles = (n + RESULTS - 1) / RESULTS;
    int current = 0;

    startCopy(slots[current], in, blockIdx.x, numTiles, n, pipe);
    for (int t = blockIdx.x; t < numTiles; t += gridDim.x)
    {
        int other = 1 - current;
        startCopy(slots[other], in, t + gridDim.x, numTiles, n, pipe);

        cuda::pipeline_consumer_wait_prior<1>(pipe);
        __syncthreads();

        int begin = t * RESULTS;
        int results = RESULTS;
        if (n - begin < results)
        {
            results = n - begin;
        }
        weigh(slots[current], out + begin, results, weights);
        __syncthreads();

        current = other;
    }
}

void filter(const float* in, float* out, Weights weights, int n, int blocks)
{
    if (n > 0)
    {
        filterTwoSlots<<<blocks, THREADS>>>(in, out, weights, n);
    }
}

// CAUSE: The batch is committed only if there is a tile to copy. In the last step there is no empty batch, so waiting for all but the last batch does not wait for the tile in use.
// LINES: 32 34
// REPAIR: delete line 32: `pipe.producer_commit();`; before line 34: add `pipe.producer_commit();`
// SYMPTOM: Each block uses its last tile while the copy is still on its way.

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
        int left = n + taps - 1 - begin;
        int count = NUMBERS;
        if (left < count)
        {
            count = left;
        }
        cuda::memcpy_async(cooperative_groups::this_thread_block(), slot, in + begin,
                           count * sizeof(float), pipe);
        pipe.producer_commit();
    }
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

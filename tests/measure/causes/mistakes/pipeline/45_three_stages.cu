// CAUSE: memcpy_async gets the number of floats, but it expects a size in bytes.
// LINES: 32
// REPAIR: line 32: `cuda::memcpy_async(group, ring[head], in + first, count, pipe);` -> `cuda::memcpy_async(group, ring[head], in + first, count * sizeof(float), pipe);`
// SYMPTOM: Only the first quarter of each tile is copied: the other slots are never written, and three quarters of the results are wrong.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

#define STAGES  3
#define THREADS 256
#define RESULTS (4 * THREADS)
#define NUMBERS (RESULTS + taps - 1)

__global__ void filterKernel(const float *in, float *out, Weights weights, int n)
{
    __shared__ __align__(16) float ring[STAGES][NUMBERS];
    cooperative_groups::thread_block group = cooperative_groups::this_thread_block();
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();

    int tiles = (n + RESULTS - 1) / RESULTS;
    int fetched = blockIdx.x;   // the next tile to fetch
    int head = 0, tail = 0;     // slots to fill and to use

    for (int used = blockIdx.x; used < tiles; used += gridDim.x) {
        // keep all slots busy
        while (fetched < used + STAGES * (int)gridDim.x) {
            if (fetched < tiles) {
                int first = fetched * RESULTS;
                int count = min(NUMBERS, n + taps - 1 - first);
                cuda::memcpy_async(group, ring[head], in + first, count, pipe);
            }
            pipe.producer_commit();
            head = (head + 1) % STAGES;
            fetched += gridDim.x;
        }

        cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipe);
        __syncthreads();

        weigh(ring[tail], out + used * RESULTS, min(RESULTS, n - used * RESULTS), weights);
        tail = (tail + 1) % STAGES;
        __syncthreads();
    }
}

void filter(const float *in, float *out, Weights weights, int n, int blocks)
{
    if (n == 0)
        return;
    filterKernel<<<blocks, THREADS>>>(in, out, weights, n);
}

// CAUSE: For the last tile only n - first numbers are copied, but results need 32 more than there are results, and `in` has them.
// LINES: 24
// REPAIR: line 24: `int count = min(RESULTS + HALO, n - first);` -> `int count = min(RESULTS + HALO, n + HALO - first);`
// SYMPTOM: The last results (up to 32 of the last tile) are made of numbers that were not copied: slots nobody wrote, or old ones of the tile before.
#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace {

constexpr int THREADS = 256;
constexpr int RESULTS = 1024;
constexpr int HALO = taps - 1;

__global__ void filterKernel(const float *in, float *out, Weights weights, int n)
{
    __shared__ __align__(16) float buffer[RESULTS + HALO];
    auto group = cooperative_groups::this_thread_block();
    cuda::pipeline<cuda::thread_scope_thread> pipe = cuda::make_pipeline();

    for (int first = blockIdx.x * RESULTS; first < n; first += gridDim.x * RESULTS) {
        int count = min(RESULTS + HALO, n - first);

        pipe.producer_acquire();
        cuda::memcpy_async(group, buffer, in + first, sizeof(float) * count, pipe);
        pipe.producer_commit();

        pipe.consumer_wait();
        __syncthreads();

        weigh(buffer, out + first, min(RESULTS, n - first), weights);

        pipe.consumer_release();
        __syncthreads();
    }
}

}

void filter(const float *in, float *out, Weights weights, int n, int blocks)
{
    if (n == 0)
        return;
    int tiles = (n + RESULTS - 1) / RESULTS;
    filterKernel<<<blocks < tiles ? blocks : tiles, THREADS>>>(in, out, weights, n);
}

// CAUSE: fetch() copies as many numbers as the tile has results, but the last results need 32 more.
// LINES: 31
// REPAIR: line 31: `const int count = results_of(t);` -> `const int count = results_of(t) + taps - 1;`
// SYMPTOM: The last 32 results of each tile are made from slots that no copy filled: uninitialized shared memory.

#include <cooperative_groups.h>

#include <cuda/pipeline>

#include "pipeline.h"

namespace cg = cooperative_groups;

namespace {

template <int Threads, int Results>
struct Filter {
  static constexpr int numbers = Results + taps - 1;
  using Pipeline = cuda::pipeline<cuda::thread_scope_thread>;

  const float* in;
  float* out;
  int n;

  __device__ int tiles() const { return (n + Results - 1) / Results; }

  __device__ int results_of(int t) const { return min(Results, n - t * Results); }

  __device__ void fetch(float* tile, int t, Pipeline& pipe) const {
    if (t < tiles()) {
      const int count = results_of(t);
      cuda::memcpy_async(cg::this_thread_block(), tile, in + t * Results, sizeof(float) * count,
                         pipe);
    }
    pipe.producer_commit();
  }

  __device__ void run(float (&tile)[2][numbers], const Weights& weights) const {
    Pipeline pipe = cuda::make_pipeline();
    const int count = tiles(), step = gridDim.x;
    int turn = 0;
    fetch(tile[0], blockIdx.x, pipe);
    for (int t = blockIdx.x; t < count; t += step, turn ^= 1) {
      fetch(tile[turn ^ 1], t + step, pipe);
      cuda::pipeline_consumer_wait_prior<1>(pipe);
      __syncthreads();
      weigh(tile[turn], out + t * Results, results_of(t), weights);
      __syncthreads();
    }
  }
};

template <int Threads, int Results>
__global__ void __launch_bounds__(Threads)
    filter_kernel(Filter<Threads, Results> filter, Weights weights) {
  __shared__ __align__(16) float tile[2][Filter<Threads, Results>::numbers];
  filter.run(tile, weights);
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  constexpr int threads = 256, results = 4096;
  if (n == 0) return;
  filter_kernel<threads, results>
      <<<blocks, threads>>>(Filter<threads, results>{in, out, n}, weights);
}

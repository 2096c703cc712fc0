// The barrier expects the bytes of all numbers. At the end of the signal the copy brings fewer, and
// the phase never ends.
// Needs: compute capability 9.0
// Test: filter is right within a tile
// Says: fewer than it expects
// Task: 2 or 3

#include <cuda/barrier>
#include <cuda/ptx>

#include "pipeline.h"

namespace ptx = cuda::ptx;

// What is in shared memory has no constructor: init() takes its place.
#pragma nv_diag_suppress static_var_with_dynamic_init

namespace {

using Barrier = cuda::barrier<cuda::thread_scope_block>;

constexpr int block = 256;                        // threads
constexpr int tile_results = 4 * block;           // that a tile yields
constexpr int numbers = tile_results + taps - 1;  // that they are made of
constexpr int stages = 2;

// One thread starts to copy tile t, if there is one. The barrier's phase ends when the thread has
// arrived and all bytes have.
__device__ void fetch(float* tile, const float* in, int t, int n, Barrier& full) {
  const int first = t * tile_results;
  if (first >= n) return;
  const int count = min(tile_results, n - first) + taps - 1;
  const int whole = count / 4 * 4;  // the rest, at most three numbers, ends the signal
  const int bytes = sizeof(float) * whole;
  cuda::device::memcpy_async_tx(tile, &in[first], cuda::aligned_size_t<16>(bytes), full);
  for (int i = whole; i < count; ++i) tile[i] = in[first + i];
  (void)cuda::device::barrier_arrive_tx(full, 1, sizeof(float) * count);
}

// Computes the results of tile t.
__device__ void use(const float* tile, float* out, int t, int n, const Weights& weights) {
  const int first = t * tile_results;
  weigh(tile, &out[first], min(tile_results, n - first), weights);
}

__global__ void __launch_bounds__(block)
    filter_kernel(const float* __restrict__ in, float* __restrict__ out, Weights weights, int n) {
  __shared__ __align__(16) float tile[stages][numbers];
  __shared__ Barrier full[stages];
  const int tiles = (n + tile_results - 1) / tile_results;
  const int step = gridDim.x;

  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) init(&full[s], 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);  // for the copies to see
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int s = 0; s < stages; ++s) fetch(tile[s], in, blockIdx.x + s * step, n, full[s]);
  }
  int slot = 0;
  bool parity = false;  // of the phase that ends when the slot is full
  for (int t = blockIdx.x; t < tiles; t += step) {
    full[slot].wait_parity(parity);
    use(tile[slot], out, t, n, weights);
    __syncthreads();
    if (threadIdx.x == 0) fetch(tile[slot], in, t + stages * step, n, full[slot]);
    slot = slot + 1 == stages ? 0 : slot + 1;
    if (slot == 0) parity = !parity;
  }
}

}  // namespace

void filter(const float* in, float* out, Weights weights, int n, int blocks) {
  if (n > 0) filter_kernel<<<blocks, block>>>(in, out, weights, n);
}

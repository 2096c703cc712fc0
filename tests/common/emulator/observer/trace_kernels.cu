// Kernels whose accesses trace_test.cpp knows one by one.

#include <cuda_pipeline_primitives.h>

#include <cuda/barrier>

#include "trace_kernels.h"

namespace {

constexpr int block = 4;

__global__ void difference_kernel(const int* in, int* out, int n) {
  __shared__ int tile[block];
  const int tx = threadIdx.x;
  const int i = blockIdx.x * block + tx;
  if (i < n) tile[tx] = in[i];  // @fill
  __syncthreads();              // @wait
  if (i >= n) return;
  int left = 0;
  // Two branches of one if would be merged by clang, and have no line then.
  if (tx > 0) left = tile[tx - 1];         // @left_in_tile
  if (tx == 0 && i > 0) left = in[i - 1];  // @left_outside
  out[i] = tile[tx] - left;                // @store_difference
}

__global__ void column_kernel(float* out) {
  __shared__ float square[32][32];
  square[threadIdx.x][0] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = square[threadIdx.x][0];
}

__global__ void count_kernel(int* counter) {
  atomicAdd(counter, 2);  // @count_up
}

// The second tile is copied while the first one is used. Only thread 0 copies to the second tile.
__global__ void ahead_kernel(const int* in, int* out) {
  __shared__ int tile[2][2];
  const int tx = threadIdx.x;
  __pipeline_memcpy_async(&tile[0][tx], &in[tx], 4);  // @copy_first
  __pipeline_commit();                                // @commit_first
  if (tx == 0) {
    __pipeline_memcpy_async(&tile[1][0], &in[2], 4);  // @copy_second
  }
  __pipeline_commit();          // @commit_second
  __pipeline_wait_prior(1);     // @wait_first
  const int own = tile[0][tx];  // @use_first
  __pipeline_wait_prior(0);     // @wait_second
  out[tx] = own;                // @store_own
}

#pragma nv_diag_suppress static_var_with_dynamic_init

__global__ void bulk_kernel(const int* in, int* out) {
  __shared__ __align__(16) int tile[20];
  __shared__ cuda::barrier<cuda::thread_scope_block> full;
  if (threadIdx.x == 0) {
    init(&full, 1);
    cuda::device::memcpy_async_tx(tile, in, cuda::aligned_size_t<16>(sizeof tile), full);  // @bulk
    (void)cuda::device::barrier_arrive_tx(full, 1, sizeof tile);  // @arrive
  }
  __syncthreads();
  full.wait_parity(false);  // @wait_bulk
  out[threadIdx.x] = tile[threadIdx.x];
}

__global__ void many_kernel(int* out, int rounds) {
  for (int k = 0; k < rounds; ++k) out[threadIdx.x % 32] = k;
}

}  // namespace

void difference(const int* in, int* out, int n) {
  difference_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

void column(float* out) { column_kernel<<<1, 32>>>(out); }

void count_up(int* counter) { count_kernel<<<1, 2>>>(counter); }

void copy_ahead(const int* in, int* out) { ahead_kernel<<<1, 2>>>(in, out); }

void copy_in_bulk(const int* in, int* out) { bulk_kernel<<<1, 2>>>(in, out); }

void many_accesses(int* out, int rounds) { many_kernel<<<2, 32>>>(out, rounds); }

void accesses_of(int* out, int rounds, int blocks, int warps) {
  many_kernel<<<blocks, 32 * warps>>>(out, rounds);
}

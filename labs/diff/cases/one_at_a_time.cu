// One line of this file is at fault: `./tilelab detective diff one_at_a_time`.

#include "diff.h"

namespace {

constexpr int block = 256;
constexpr int elements = 1;
constexpr int tile_size = elements * block;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[tile_size];
  const int tx = threadIdx.x;
  const int first = blockIdx.x * tile_size;

  int own[elements];
#pragma unroll
  for (int e = 0; e < elements; ++e) {
    const int i = first + e * block + tx;
    own[e] = i < n ? in[i] : 0;
  }
#pragma unroll
  for (int e = 0; e < elements; ++e) tile[e * block + tx] = own[e];
  // Only thread 0 has its neighbor in another block's tile.
  int left = 0;
  if (tx == 0 && first > 0) left = in[first - 1];
  __syncthreads();

#pragma unroll
  for (int e = 0; e < elements; ++e) {
    const int slot = e * block + tx;
    if (slot > 0) left = tile[slot - 1];
    if (first + slot < n) out[first + slot] = own[e] - left;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + tile_size - 1) / tile_size, block>>>(in, out, n);
}

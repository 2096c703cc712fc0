// CAUSE: The second launch adds up the sums of the blocks, of which there are num_blocks, but it is told that there are n.
// LINES: 47
// REPAIR: sum_kernel<<<1, block>>>(work, out, num_blocks);
// SYMPTOM: The second pass reads parts of work that nobody has written, and for larger n past its end; the sum is garbage for n > 1.
#include "reduction.h"

namespace {

constexpr int block = 512;
constexpr int most_blocks = 512;

// Each thread first adds up every (grid size)-th element in a register.
__global__ void sum_kernel(const float* values, float* sums, int count) {
  __shared__ float part[block];
  const int lane = threadIdx.x;
  const int stride = gridDim.x * blockDim.x;

  float mine = 0.0f;
  for (int i = blockIdx.x * blockDim.x + lane; i < count; i += stride) {
    mine += values[i];
  }
  part[lane] = mine;
  __syncthreads();

  for (int active = block / 2; active > 0; active >>= 1) {
    if (lane < active) {
      part[lane] += part[lane + active];
    }
    __syncthreads();
  }

  if (lane == 0) {
    sums[blockIdx.x] = part[0];
  }
}

}  // namespace

void sum(const float* in, float* out, float* work, int n) {
  int num_blocks = (n + block - 1) / block;
  if (num_blocks > most_blocks) {
    num_blocks = most_blocks;
  }
  if (num_blocks > 0) {
    sum_kernel<<<num_blocks, block>>>(in, work, n);
  }
  sum_kernel<<<1, block>>>(work, out, n);
}

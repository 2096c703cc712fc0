// CAUSE: each thread puts its difference into its own slot, from which the thread to the right may still read the element
// LINES: 28
// REPAIR: keep the difference in a register: out[global] = s_in[local] - left
// GOOD HINT: Who else reads s_in[local], and can it be later than your store?
// SYMPTOM: data race in the tile

#include "diff.h"

namespace {

constexpr int BLOCK = 256;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int s_in[BLOCK];
  int local = threadIdx.x;
  int global = blockIdx.x * BLOCK + local;
  if (global < n) {
    s_in[local] = in[global];
  }
  __syncthreads();
  if (global < n) {
    int left = 0;
    if (local > 0) {
      left = s_in[local - 1];
    } else if (global > 0) {
      left = in[global - 1];
    }
    s_in[local] = s_in[local] - left;
    out[global] = s_in[local];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int blocks = (n + BLOCK - 1) / BLOCK;
  diff_kernel<<<blocks, BLOCK>>>(in, out, n);
}

// CAUSE: There is no barrier between the store to the tile and the read of the neighbor's slot.
// LINES: after 20
// REPAIR: insert __syncthreads();
// SYMPTOM: A data race on the tile; some differences are wrong, depending on the order of the threads.
#include "diff.h"

namespace {

const int THREADS = 128;

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int s[THREADS];

  int t = threadIdx.x;
  int i = blockIdx.x * blockDim.x + threadIdx.x;

  // copy to shared memory
  if (i < n) {
    s[t] = in[i];
  }

  // subtract the left neighbor
  if (i < n) {
    int left;
    if (i == 0)
      left = 0;
    else if (t == 0)
      left = in[i - 1];
    else
      left = s[t - 1];
    out[i] = s[t] - left;
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  int blocks = (n + THREADS - 1) / THREADS;
  diff_kernel<<<blocks, THREADS>>>(in, out, n);
}

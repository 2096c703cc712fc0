// CAUSE: The store of a thread's second element is guarded by the index of its first element.
// LINES: 33
// REPAIR: if (hi < n)
// SYMPTOM: In the last block threads store past the end of out, computed from slots of the tile that nobody filled; with n = 1 already out[128] is written.

#include "diff.h"

namespace {

constexpr int threads = 128;
constexpr int chunk = 2 * threads;  // elements of a block, two per thread

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int part[chunk];
  const int t = threadIdx.x;
  const int lo = blockIdx.x * chunk + t;
  const int hi = lo + threads;

  if (lo < n) part[t] = in[lo];
  if (hi < n) part[t + threads] = in[hi];
  __syncthreads();

  if (lo < n) {
    int left = 0;
    if (t > 0) {
      left = part[t - 1];
    } else if (lo > 0) {
      left = in[lo - 1];
    }
    out[lo] = part[t] - left;
  }

  if (lo < n) {
    // never the first element of the tile
    out[hi] = part[t + threads] - part[t + threads - 1];
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  const int grid = (n + chunk - 1) / chunk;
  if (grid > 0) diff_kernel<<<grid, threads>>>(in, out, n);
}

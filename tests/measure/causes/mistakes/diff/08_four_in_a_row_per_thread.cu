// CAUSE: Each thread takes four elements in a row, one at a time, so that in each load and store the neighboring threads are 16 bytes apart: not coalesced, and four lanes share a bank of the tile.
// LINES: 23, 28
// REPAIR: line 23: `tx * each + k` -> `k * block + tx`; line 28: `tx * each + k` -> `k * block + tx`
// GOOD HINT: Look at one single load of a warp, with k = 0: which elements do the threads 0, 1 and 2 ask for? How would you share out the elements of the block so that neighbors ask for neighbors?
// SYMPTOM: Right results. Four times as many sectors per request (16 instead of 4), 4-way bank conflicts, slower than it could be.

// Four elements per thread, so that more is in flight.

#include "diff.h"

namespace {

constexpr int block = 256;          // threads
constexpr int each = 4;             // elements per thread
constexpr int size = block * each;  // elements per block

__global__ void diff_kernel(const int* in, int* out, int n) {
  __shared__ int tile[size];
  const int tx = threadIdx.x;
  const int first = blockIdx.x * size;

  for (int k = 0; k < each; ++k) {
    const int t = tx * each + k;
    if (first + t < n) tile[t] = in[first + t];
  }
  __syncthreads();
  for (int k = 0; k < each; ++k) {
    const int t = tx * each + k;
    const int i = first + t;
    if (i < n) {
      if (t > 0) {
        out[i] = tile[t] - tile[t - 1];
      } else if (i > 0) {
        out[i] = tile[t] - in[i - 1];
      } else {
        out[i] = tile[t];
      }
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  diff_kernel<<<(n - 1) / size + 1, block>>>(in, out, n);
}

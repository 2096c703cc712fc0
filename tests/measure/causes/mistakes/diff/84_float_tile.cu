// CAUSE: The tile is an array of float, but the elements are int. A float has 24 bits for the digits, so larger numbers are rounded when they are stored in the tile, and the difference comes out wrong.
// LINES: 11
// REPAIR: line 11: `extern __shared__ float cache[];` -> `extern __shared__ int cache[];`
// SYMPTOM: Wrong differences of numbers above 2^24 = 16,777,216 in magnitude: they are off, and stop at the largest or smallest int instead of wrapping around.

#include "diff.h"

namespace {

__global__ void neighbors(const int* in, int* out, int n) {
  extern __shared__ float cache[];
  const int t = threadIdx.x;
  const int* const from = in + blockIdx.x * blockDim.x;  // this block's part
  int* const to = out + blockIdx.x * blockDim.x;
  const int rest = n - blockIdx.x * blockDim.x;          // elements from here to the end

  if (t < rest) {
    cache[t] = from[t];
  }
  __syncthreads();

  if (t < rest) {
    if (t > 0) {
      to[t] = cache[t] - cache[t - 1];
    } else if (blockIdx.x > 0) {
      to[t] = cache[t] - from[-1];
    } else {
      to[t] = cache[t];
    }
  }
}

}  // namespace

void diff(const int* in, int* out, int n) {
  constexpr int size = 256;
  if (n > 0) {
    neighbors<<<(n + size - 1) / size, size, size * sizeof(int)>>>(in, out, n);
  }
}

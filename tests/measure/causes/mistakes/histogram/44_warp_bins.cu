// CAUSE: The byte is put into a char, which is signed: bytes of 128 and above become negative and are used as negative indices.
// LINES: 24
// REPAIR: line 24: `const char value = in[i];` -> `const unsigned char value = in[i];`
// SYMPTOM: Bytes of 128 and above that warp 0 counts go outside the array, in front of it, and are missing; those of warps 1 to 7 land in the same bin of the warp before, and are counted after all.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 256;
constexpr int warps = block / 32;

// Each warp has bins of its own.
__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[warps][values];
  const int t = threadIdx.x;
  const int warp = t / 32;

  for (int w = 0; w < warps; ++w) bins[w][t] = 0;
  __syncthreads();

  const int stride = gridDim.x * block;
  for (int i = blockIdx.x * block + t; i < n; i += stride) {
    const char value = in[i];
    atomicAdd(&bins[warp][value], 1u);
  }
  __syncthreads();

  unsigned total = 0;
  for (int w = 0; w < warps; ++w) total += bins[w][t];
  if (total != 0) atomicAdd(&counts[t], total);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n - 1) / (16 * 1024) + 1;
  if (blocks > 1056) blocks = 1056;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}

// CAUSE: The number of 16-byte vectors is rounded up. The last vector reaches past the end of the input, its bytes are counted, and those of them that belong to the input are counted again one by one.
// LINES: 23
// REPAIR: `(n + 15) / 16` -> `n / 16` (line 23)
// GOOD HINT: With n = 20, how many whole vectors of 16 bytes are there? Which bytes does your loop load in its last step, and which ones does the line after the loop count?
// SYMPTOM: Wrong wherever n is no multiple of 16: up to 15 bytes past the end of `in` are read and counted, and the last n mod 16 bytes are counted twice.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int lanes = 32;
constexpr int block = 512;
constexpr int largest_grid = 4 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values][lanes];
  const int lane = threadIdx.x % lanes;
  for (int v = threadIdx.x / lanes; v < values; v += block / lanes) bins[v][lane] = 0;
  __syncthreads();

  const uint4* vectors = reinterpret_cast<const uint4*>(in);
  const int vector_count = (n + 15) / 16;
  for (int i = blockIdx.x * block + threadIdx.x; i < vector_count; i += gridDim.x * block) {
    const uint4 vector = vectors[i];
    const unsigned words[4] = {vector.x, vector.y, vector.z, vector.w};
    for (int w = 0; w < 4; ++w) {
      for (int shift = 0; shift < 32; shift += 8) {
        atomicAdd(&bins[(words[w] >> shift) & 0xff][lane], 1u);
      }
    }
  }
  // what is left
  if (blockIdx.x == 0 && threadIdx.x < n % 16) {
    atomicAdd(&bins[in[n - n % 16 + threadIdx.x]][lane], 1u);
  }
  __syncthreads();

  if (threadIdx.x < values) {
    unsigned sum = 0;
    for (int k = 0; k < lanes; ++k) sum += bins[threadIdx.x][(k + threadIdx.x) % lanes];
    atomicAdd(&counts[threadIdx.x], sum);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + least_share - 1) / least_share;
  if (blocks > largest_grid) blocks = largest_grid;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}

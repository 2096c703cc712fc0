// CAUSE: The byte is stored in a char, which is signed here. Bytes from 128 on become negative, and the bin is looked for before the beginning of the array.
// LINES: 21
// REPAIR: `char value` -> `unsigned char value` (line 21)
// GOOD HINT: What are the smallest and the largest number that your variable `value` can hold? Try it by hand with the byte 200.
// SYMPTOM: Right as long as all bytes are below 128; else shared memory is accessed out of bounds (index -128 to -1): crash, or counts[128..255] too small.
#include "histogram.h"

constexpr int values = 256;
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];

  const int tid = threadIdx.x;
  bins[tid] = 0;
  __syncthreads();

  for (int i = blockIdx.x * block + tid; i < n; i += block * gridDim.x) {
    char value = in[i];
    atomicAdd(&bins[value], 1u);
  }
  __syncthreads();

  atomicAdd(&counts[tid], bins[tid]);
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n <= 0) return;

  int grid = (n + least_share - 1) / least_share;
  if (grid > largest_grid) {
    grid = largest_grid;
  }
  histogram_kernel<<<grid, block>>>(in, counts, n);
}

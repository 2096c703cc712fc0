// CAUSE: After the rounds the sums are read from buffer 0, but a tile of 512 takes nine rounds, an odd number, and the last one writes to buffer 1.
// LINES: 28
// REPAIR: line 28: `const unsigned result = buffer[0][t];` -> `const unsigned result = buffer[from][t];`
// SYMPTOM: Each out[i] and each tile's sum miss the last round: slots from 256 on lack the 256 elements farther left.

#include "scan.h"

namespace {

constexpr int block = 512;

__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned buffer[2][block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  int from = 0;
  buffer[0][t] = i < n ? in[i] : 0;
  __syncthreads();

  for (int distance = 1; distance < block; distance *= 2) {
    unsigned value = buffer[from][t];
    if (t >= distance) value += buffer[from][t - distance];
    buffer[1 - from][t] = value;
    from = 1 - from;
    __syncthreads();
  }

  const unsigned result = buffer[0][t];
  if (i < n) out[i] = result;
  if (t == block - 1) sums[blockIdx.x] = result;
}

// sums[b] holds what tiles 0 to b add up to.
__global__ void add_kernel(unsigned* out, const unsigned* sums, int n) {
  const int i = (blockIdx.x + 1) * block + threadIdx.x;
  if (i < n) out[i] += sums[blockIdx.x];
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n + block - 1) / block;
  scan_kernel<<<tiles, block>>>(in, out, work, n);
  if (tiles > 1) {
    unsigned* const totals = work + tiles;
    scan(work, totals, totals + tiles, tiles);
    add_kernel<<<tiles - 1, block>>>(out, totals, n);
  }
}

// CAUSE: the byte is kept in a char, which has a sign: bytes from 128 on become negative indices
// LINES: 25
// REPAIR: keep it in an unsigned char
// GOOD HINT: Which bin does the byte 200 go to, if a char holds it?
// SYMPTOM: accesses before the bins, wrong counts for values of 128 and more

#include "histogram.h"

namespace {

constexpr int BINS = 256;
constexpr int BLOCK = 256;
constexpr int SHARE = 16 * 1024;
constexpr int MAX_BLOCKS = 8 * 132;

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned hist[BINS][32];
  const int tid = threadIdx.x;
  const int lane = tid % 32;
  for (int k = tid; k < BINS * 32; k += BLOCK) {
    hist[k / 32][k % 32] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * BLOCK + tid; i < n; i += gridDim.x * BLOCK) {
    const char value = in[i];
    atomicAdd(&hist[value][lane], 1u);
  }
  __syncthreads();
  unsigned total = 0;
  for (int c = 0; c < 32; ++c) {
    total += hist[tid][(c + tid) % 32];
  }
  if (total > 0) atomicAdd(&counts[tid], total);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + SHARE - 1) / SHARE;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  histogram_kernel<<<blocks, BLOCK>>>(in, counts, n);
}

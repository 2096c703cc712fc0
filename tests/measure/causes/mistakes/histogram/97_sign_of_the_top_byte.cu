// CAUSE: The words are signed, so the shift by 24 copies the sign bit: a top byte of 128 or more becomes a negative index, as nothing masks it.
// LINES: 33
// REPAIR: line 33: `atomicAdd(&bins[words[w] >> 24][lane], 1u);` -> `atomicAdd(&bins[(words[w] >> 24) & 255][lane], 1u);`
// SYMPTOM: Bytes >= 128 at every fourth place are added to shared memory in front of the bins (out of bounds), and are missing in the counts.

#include "histogram.h"

#define VALUES 256
#define LANES 32
#define BLOCK 512

static __global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[VALUES][LANES];
  const int lane = threadIdx.x & (LANES - 1);

  unsigned* flat = &bins[0][0];
  for (int i = threadIdx.x; i < VALUES * LANES; i += BLOCK) {
    flat[i] = 0;
  }
  __syncthreads();

  const int threads = gridDim.x * BLOCK;
  const int id = blockIdx.x * BLOCK + threadIdx.x;
  const int packs = n >> 4;
  for (int p = id; p < packs; p += threads) {
    const int4 pack = reinterpret_cast<const int4*>(in)[p];
    const int words[4] = {pack.x, pack.y, pack.z, pack.w};
#pragma unroll
    for (int w = 0; w < 4; w++) {
      atomicAdd(&bins[words[w] & 255][lane], 1u);
      atomicAdd(&bins[(words[w] >> 8) & 255][lane], 1u);
      atomicAdd(&bins[(words[w] >> 16) & 255][lane], 1u);
      atomicAdd(&bins[words[w] >> 24][lane], 1u);
    }
  }
  for (int i = (packs << 4) + id; i < n; i += threads) {
    atomicAdd(&bins[in[i]][lane], 1u);
  }
  __syncthreads();

  if (threadIdx.x < VALUES) {
    unsigned total = 0;
    for (int l = 0; l < LANES; l++) {
      total += bins[threadIdx.x][(threadIdx.x + l) & (LANES - 1)];
    }
    atomicAdd(&counts[threadIdx.x], total);
  }
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n <= 0) return;
  int blocks = (n + 16383) / 16384;
  if (blocks > 528) blocks = 528;
  histogram_kernel<<<blocks, BLOCK>>>(in, counts, n);
}

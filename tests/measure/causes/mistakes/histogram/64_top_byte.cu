// CAUSE: The words are signed, so the shift to the highest byte fills up with the sign; without the mask, bytes from 128 on give a negative bin.
// LINES: 19
// REPAIR: ((word >> 24) & 255)
// SYMPTOM: If any byte at a place 4 i + 3 is 128 or more, the kernel accesses shared memory before the bins, and those bytes are not counted.

#include "histogram.h"

namespace {

constexpr int COPIES = 32;
constexpr int BINS = 256;
constexpr int THREADS = 256;

// mine points to bin 0 of this lane's copy; bin v is COPIES * v words further on.
__device__ void add(unsigned* mine, int word) {
  atomicAdd(mine + COPIES * (word & 255), 1u);
  atomicAdd(mine + COPIES * ((word >> 8) & 255), 1u);
  atomicAdd(mine + COPIES * ((word >> 16) & 255), 1u);
  atomicAdd(mine + COPIES * (word >> 24), 1u);
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[BINS * COPIES];
  const int tid = threadIdx.x;
  for (int w = tid; w < BINS * COPIES; w += THREADS) bins[w] = 0;
  __syncthreads();

  unsigned* mine = &bins[tid % COPIES];
  const int4* in16 = reinterpret_cast<const int4*>(in);
  const int chunks = n / 16;
  const int gid = blockIdx.x * THREADS + tid;
  const int stride = gridDim.x * THREADS;
  for (int c = gid; c < chunks; c += stride) {
    const int4 q = in16[c];
    add(mine, q.x);
    add(mine, q.y);
    add(mine, q.z);
    add(mine, q.w);
  }
  // one by one, at most 15 bytes
  for (int i = 16 * chunks + gid; i < n; i += stride) atomicAdd(mine + COPIES * in[i], 1u);
  __syncthreads();

  unsigned sum = 0;
  for (int c = 0; c < COPIES; ++c) sum += bins[COPIES * tid + (c + tid) % COPIES];
  atomicAdd(&counts[tid], sum);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n <= 0) return;
  int grid = (n - 1) / (16 * 1024) + 1;
  if (grid > 1056) grid = 1056;
  histogram_kernel<<<grid, THREADS>>>(in, counts, n);
}

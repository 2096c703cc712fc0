// CAUSE: (1) The barrier between storing the number of the tile in shared memory and reading it is missing. (2) A thread adds the sum of its own warp, too, not only those of the earlier warps.
// LINES: 50 51 68
// REPAIR: (1) __syncthreads(); before shared_tile is read (2) for (int w = 0; w < threadIdx.x / 32; w++) offset += sums[w];
// SYMPTOM: (1) Data race: threads may take an old number for their tile. (2) Every sum is too large by that of its warp.

// Four elements per thread. The state and the number of a tile share a 64-bit word.
#include <cuda_runtime.h>

#include "scan.h"

typedef unsigned long long word;

#define THREADS 128
#define EACH 4
#define TILE (THREADS * EACH)
#define WARPS (THREADS / 32)
#define SUM (1ull << 32)
#define TOTAL (2ull << 32)

// inclusive scan of the 32 values of a warp
static __device__ unsigned warp_scan(unsigned x) {
  int lane = threadIdx.x & 31;
  for (int offset = 1; offset < 32; offset <<= 1) {
    unsigned y = __shfl_up_sync(~0u, x, offset);
    if (lane >= offset) x += y;
  }
  return x;
}

// the sum of all tiles before this one
static __device__ unsigned look_back(word* words, int tile) {
  unsigned sum = 0;
  int j = tile - 1;
  while (j >= 0) {
    word w = atomicAdd(&words[j], 0ull);
    if (w == 0) continue;
    sum += (unsigned)w;
    if (w & TOTAL) break;
    j--;
  }
  return sum;
}

static __global__ void scan_tiles(const unsigned* in, unsigned* out, word* words,
                                  unsigned* next_tile, int n) {
  __shared__ int shared_tile;
  __shared__ unsigned prefix;
  __shared__ unsigned sums[WARPS];

  if (threadIdx.x == 0) shared_tile = atomicAdd(next_tile, 1);
  int tile = shared_tile;
  int start = tile * TILE + threadIdx.x * EACH;

  unsigned v[EACH];
  if (start + EACH <= n) {
    uint4 four = *reinterpret_cast<const uint4*>(in + start);
    v[0] = four.x, v[1] = four.y, v[2] = four.z, v[3] = four.w;
  } else {
    for (int e = 0; e < EACH; e++) v[e] = start + e < n ? in[start + e] : 0;
  }
  for (int e = 1; e < EACH; e++) v[e] += v[e - 1];

  unsigned inclusive = warp_scan(v[EACH - 1]);
  unsigned offset = inclusive - v[EACH - 1];
  if (threadIdx.x % 32 == 31) sums[threadIdx.x / 32] = inclusive;
  __syncthreads();

  for (int w = 0; w <= threadIdx.x / 32; w++) offset += sums[w];

  if (threadIdx.x == THREADS - 1) {
    unsigned all = offset + v[EACH - 1];
    atomicExch(&words[tile], SUM | all);
    unsigned before = look_back(words, tile);
    atomicExch(&words[tile], TOTAL | (before + all));
    prefix = before;
  }
  __syncthreads();
  offset += prefix;

  if (start + EACH <= n) {
    *reinterpret_cast<uint4*>(out + start) =
        make_uint4(v[0] + offset, v[1] + offset, v[2] + offset, v[3] + offset);
  } else {
    for (int e = 0; e < EACH; e++) {
      if (start + e < n) out[start + e] = v[e] + offset;
    }
  }
}

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  int tiles = (n - 1) / TILE + 1;
  word* words = reinterpret_cast<word*>(work);
  unsigned* next_tile = work + 2 * tiles;
  cudaMemsetAsync(work, 0, tiles * sizeof(word) + sizeof(unsigned));
  scan_tiles<<<tiles, THREADS>>>(in, out, words, next_tile, n);
}

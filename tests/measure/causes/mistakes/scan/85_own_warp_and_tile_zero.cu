// CAUSE: Two mistakes. (1) The sum of the earlier warps includes the thread's own warp (w <= warp instead of w < warp), whose elements are already in the thread's own sum. (2) The look-back loop ends before tile 0 (t > 0 instead of t >= 0), so tile 0 is never added unless a total of a later tile has been found.
// LINES: 45 53
// REPAIR: line 45: `for (int w = 0; w <= warp; ++w) add += sh[w];` -> `for (int w = 0; w < warp; ++w) add += sh[w];`; line 53: `for (int t = tile - 1; t > 0; --t) {` -> `for (int t = tile - 1; t >= 0; --t) {`
// SYMPTOM: All sums are too large by the sum of their warp; in later tiles the sum of tile 0 is missing.

#include "scan.h"

namespace {

constexpr int nt = 256, each = 8, span = nt * each;

__device__ int global_index(int tile, int k) {
  // warp after warp; within a warp, lanes take neighbors
  return tile * span + (threadIdx.x / 32) * 32 * each + 32 * k + threadIdx.x % 32;
}

__global__ void kernel(const unsigned* in, unsigned* out, unsigned long long* slots,
                       unsigned* counter, int n) {
  __shared__ unsigned sh[nt / 32 + 2];
  unsigned* const sh_tile = sh + nt / 32;
  unsigned* const sh_base = sh_tile + 1;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;

  if (threadIdx.x == 0) *sh_tile = atomicAdd(counter, 1u);
  __syncthreads();
  const int tile = *sh_tile;

  unsigned r[each];
  unsigned sofar = 0;
  for (int k = 0; k < each; ++k) {
    const int g = global_index(tile, k);
    unsigned x = 0;
    if (g < n) x = in[g];
    for (int d = 1; d < 32; d *= 2) {
      const unsigned l = __shfl_up_sync(~0u, x, d);
      if (lane >= d) x += l;
    }
    r[k] = x + sofar;
    sofar += __shfl_sync(~0u, x, 31);
  }
  if (lane == 0) sh[warp] = sofar;
  __syncthreads();

  unsigned add = 0;
  for (int w = 0; w <= warp; ++w) add += sh[w];

  if (threadIdx.x == 0) {
    unsigned own = 0;
    for (int w = 0; w < nt / 32; ++w) own += sh[w];
    atomicExch(&slots[tile], (1ull << 32) | own);

    unsigned base = 0;
    for (int t = tile - 1; t > 0; --t) {
      unsigned long long s = 0;
      do {
        s = atomicAdd(&slots[t], 0ull);
      } while (s == 0);
      base += static_cast<unsigned>(s & 0xffffffffu);
      if ((s >> 32) == 2) break;
    }
    atomicExch(&slots[tile], (2ull << 32) | (base + own));
    *sh_base = base;
  }
  __syncthreads();
  add += *sh_base;
  for (int k = 0; k < each; ++k) {
    const int g = global_index(tile, k);
    if (g < n) out[g] = r[k] + add;
  }
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = n / span + (n % span != 0);
  auto* slots = reinterpret_cast<unsigned long long*>(work);
  unsigned* counter = work + 2 * tiles;
  cudaMemsetAsync(work, 0, 8 * tiles + 4);
  kernel<<<tiles, nt>>>(in, out, slots, counter, n);
}

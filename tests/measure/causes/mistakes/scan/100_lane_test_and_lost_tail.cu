// CAUSE: (1) A lane adds what comes from d lanes below only if lane > d, but lane d has such a neighbor, too: it must be lane >= d. (2) A thread whose four elements are not all there loads and stores none of them.
// LINES: 19 25
// REPAIR: line 19: `if (lane > d) x += y;` -> `if (lane >= d) x += y;`; line 25: `return first + items <= n ? items : 0;` -> `return max(0, min(items, n - first));`
// SYMPTOM: (1) Lane 1, 2, 4, 8 or 16 of each warp misses a part of its sum, and lanes above it, too. (2) If n is not a multiple of 4, the last 1 to 3 sums are not stored.

#include "scan.h"

namespace {

constexpr int threads = 256;
constexpr int items = 4;
constexpr int tile = threads * items;

template <typename T>
__device__ T scan_warp(T x, int lane) {
#pragma unroll
  for (int d = 1; d < 32; d *= 2) {
    const T y = __shfl_up_sync(0xffffffff, x, d);
    if (lane > d) x += y;
  }
  return x;
}

__device__ int count_of(int first, int n) {
  return first + items <= n ? items : 0;
}

__global__ void scan_kernel(const unsigned* in, unsigned* out, unsigned* sums, int n) {
  __shared__ unsigned partial[threads / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int first = blockIdx.x * tile + threadIdx.x * items;
  const int count = count_of(first, n);

  unsigned v[items] = {};
  if (count == items) {
    const uint4 q = *reinterpret_cast<const uint4*>(in + first);
    v[0] = q.x, v[1] = q.y, v[2] = q.z, v[3] = q.w;
  } else {
    for (int k = 0; k < count; ++k) v[k] = in[first + k];
  }
  v[1] += v[0], v[2] += v[1], v[3] += v[2];

  unsigned running = scan_warp(v[3], lane);
  if (lane == 31) partial[warp] = running;
  running -= v[3];
  __syncthreads();
  for (int w = 0; w < warp; ++w) running += partial[w];

  if (count == items) {
    *reinterpret_cast<uint4*>(out + first) =
        make_uint4(v[0] + running, v[1] + running, v[2] + running, v[3] + running);
  } else {
    for (int k = 0; k < count; ++k) out[first + k] = v[k] + running;
  }
  if (threadIdx.x == threads - 1) sums[blockIdx.x] = v[3] + running;
}

__global__ void add_kernel(unsigned* out, const unsigned* totals, int n) {
  const unsigned before = totals[blockIdx.x];
  const int begin = (blockIdx.x + 1) * tile;
  const int end = min(begin + tile, n);
  for (int i = begin + threadIdx.x; i < end; i += threads) out[i] += before;
}

void scan_level(const unsigned* in, unsigned* out, unsigned* work, int n) {
  const int tiles = (n + tile - 1) / tile;
  scan_kernel<<<tiles, threads>>>(in, out, work, n);
  if (tiles < 2) return;
  // The sums of a level begin at a multiple of 16 bytes, as the vector loads need it.
  const int room = (tiles + 3) / 4 * 4;
  scan_level(work, work + room, work + 2 * room, tiles);
  add_kernel<<<tiles - 1, threads>>>(out, work + room, n);
}

}  // namespace

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n > 0) scan_level(in, out, work, n);
}

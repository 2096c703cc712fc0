// CAUSE: The bytes after the last full group of 16 begin at n / 16 * 16, but the loop over them begins at n / 16, the number of groups. And the number of blocks is rounded down.
// LINES: 34, 43
// REPAIR: line 34: `for (int i = group_count + id; i < n; i += step) atomicAdd(&bins[in[i]], 1u);` -> `for (int i = group_count * 16 + id; i < n; i += step) atomicAdd(&bins[in[i]], 1u);`; line 43: `int blocks = n / share;` -> `int blocks = (n + share - 1) / share;`
// SYMPTOM: Most bytes are counted twice (all from index n / 16 on); for 0 < n < 16384 there are no blocks, so the launch fails and nothing is counted.
#include "histogram.h"

namespace {

constexpr int threads = 256;
constexpr int share = 16 * 1024;
constexpr int most = 8 * 132;

__device__ void count_word(unsigned* bins, unsigned word) {
#pragma unroll
  for (int shift = 0; shift < 32; shift += 8) atomicAdd(&bins[(word >> shift) & 0xff], 1u);
}

__global__ void kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[256];
  bins[threadIdx.x] = 0;
  __syncthreads();

  const int id = threads * blockIdx.x + threadIdx.x;
  const int step = threads * gridDim.x;
  const uint4* groups = reinterpret_cast<const uint4*>(in);
  const int group_count = n / 16;
  for (int g = id; g < group_count; g += step) {
    const uint4 group = groups[g];
    count_word(bins, group.x);
    count_word(bins, group.y);
    count_word(bins, group.z);
    count_word(bins, group.w);
  }
  for (int i = group_count + id; i < n; i += step) atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = n / share;
  if (blocks > most) blocks = most;
  kernel<<<blocks, threads>>>(in, counts, n);
}

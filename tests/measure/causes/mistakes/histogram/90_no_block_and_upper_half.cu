// CAUSE: The number of blocks is rounded down, so less than 16 KiB get no block at all. And the last loop ends at the number of threads, 128, instead of the number of bins, so the upper half of the bins is never added to the counts.
// LINES: 35 44
// REPAIR: line 35: `kThreads;` -> `kBins;`; line 44: `n / (16 << 10);` -> `(n + (16 << 10) - 1) / (16 << 10);`
// SYMPTOM: Launches of zero blocks fail; with larger inputs the counts of bytes from 128 on do not grow.

#include <cooperative_groups.h>

#include "histogram.h"

namespace cg = cooperative_groups;

static constexpr unsigned kThreads = 128, kCopies = 32, kBins = 256;

static __global__ void tally(const unsigned char* bytes, unsigned* counts, unsigned length) {
  __shared__ unsigned bin[kBins][kCopies];
  const auto group = cg::this_thread_block();
  const auto warp = cg::tiled_partition<32>(group);
  const unsigned rank = group.thread_rank();

  for (unsigned b = warp.meta_group_rank(); b < kBins; b += warp.meta_group_size())
    bin[b][warp.thread_rank()] = 0;
  group.sync();

  const unsigned words = length / 4;
  const unsigned* word = reinterpret_cast<const unsigned*>(bytes);
  for (unsigned w = blockIdx.x * kThreads + rank; w < words; w += gridDim.x * kThreads) {
    unsigned packed = word[w];
    for (int k = 0; k < 4; ++k, packed >>= 8)
      atomicAdd(&bin[packed & 255u][warp.thread_rank()], 1u);
  }
  if (blockIdx.x == gridDim.x - 1 && rank < length - 4 * words)
    atomicAdd(&bin[bytes[4 * words + rank]][warp.thread_rank()], 1u);
  group.sync();

  for (unsigned b = rank; b < kThreads; b += kThreads) {
    unsigned sum = 0;
    for (unsigned c = 0; c < kCopies; ++c) sum += bin[b][(c + rank) & (kCopies - 1)];
    if (sum) atomicAdd(&counts[b], sum);
  }
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n <= 0) return;
  int grid = n / (16 << 10);
  if (grid > 1056) grid = 1056;
  tally<<<grid, kThreads>>>(in, counts, n);
}

// Look-back by cuda::atomic_ref, with types and arrays of cuda::std.
// Lab: scan
// Verdict: graded
// Earns: everything

#include <cuda/atomic>
#include <cuda/std/array>
#include <cuda/std/cstdint>

#include "scan.h"

constexpr int block = 128, each = 16, tile_size = block * each;
using Word = cuda::std::uint64_t;
template <class T>
using Ref = cuda::atomic_ref<T, cuda::thread_scope_device>;

__device__ unsigned scan_of_block(unsigned own, unsigned& sum) {
  __shared__ unsigned sums[block / 32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 1; d < 32; d *= 2) {
    const unsigned left = __shfl_up_sync(~0u, own, d);
    if (lane >= d) own += left;
  }
  if (lane == 31) sums[warp] = own;
  __syncthreads();
  sum = 0;
  unsigned before = 0;
  for (int w = 0; w < block / 32; ++w) {
    if (w == warp) before = sum;
    sum += sums[w];
  }
  __syncthreads();
  return before + own;
}

__device__ unsigned look_back(Word* words, int tile, unsigned own) {
  if (tile > 0) Ref<Word>(words[tile]).store(Word{1} << 32 | own, cuda::memory_order_release);
  unsigned before = 0;
  for (int t = tile - 1; t >= 0; --t) {
    Word word;
    while ((word = Ref<Word>(words[t]).load(cuda::std::memory_order_acquire)) == 0) {
    }
    before += static_cast<unsigned>(word);
    if (word >> 32 == 2) break;
  }
  Ref<Word>(words[tile]).store(Word{2} << 32 | (before + own), cuda::memory_order_release);
  return before;
}

__global__ void kernel(const unsigned* in, unsigned* out, unsigned* ticket, Word* words, int n) {
  __shared__ int shared_tile;
  __shared__ unsigned shared_before;
  if (threadIdx.x == 0) {
    shared_tile = Ref<unsigned>(*ticket).fetch_add(1, cuda::memory_order_relaxed);
  }
  __syncthreads();
  const int tile = shared_tile;
  cuda::std::array<unsigned, each> own;
  unsigned row = 0;
  for (int k = 0; k < each; ++k) {
    const int i = tile * tile_size + k * block + threadIdx.x;
    unsigned sum;
    own[k] = row + scan_of_block(i < n ? in[i] : 0, sum);
    row += sum;
  }
  if (threadIdx.x == 0) shared_before = look_back(words, tile, row);
  __syncthreads();
  for (int k = 0; k < each; ++k) {
    const int i = tile * tile_size + k * block + threadIdx.x;
    if (i < n) out[i] = shared_before + own[k];
  }
}

void scan(const unsigned* in, unsigned* out, unsigned* work, int n) {
  if (n == 0) return;
  const int tiles = (n - 1) / tile_size + 1;
  cudaMemsetAsync(work, 0, sizeof(Word) * (tiles + 1));
  kernel<<<tiles, block>>>(in, out, work, reinterpret_cast<Word*>(work) + 1, n);
}

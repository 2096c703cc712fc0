// CAUSE: The last n % 16 bytes, which fill no uint4, are counted by the first threads of every block, so each of them is counted once per block. Only one block may do that.
// LINES: 48
// REPAIR: line 48: `if (threadIdx.x < rest) bins.count(in[16 * whole + threadIdx.x]);` -> `if (blockIdx.x == 0 && threadIdx.x < rest) bins.count(in[16 * whole + threadIdx.x]);`
// SYMPTOM: Right for one block, and for n a multiple of 16; otherwise up to 15 bytes are counted as often as there are blocks.

#include "histogram.h"

namespace {

constexpr int threads = 256;
constexpr int most_blocks = 6 * 132;

struct Bins {
  unsigned of[256][32];

  __device__ void clear() {
    for (int v = threadIdx.x / 32; v < 256; v += threads / 32) of[v][threadIdx.x % 32] = 0;
  }
  __device__ void count(unsigned byte) { atomicAdd(&of[byte & 255u][threadIdx.x % 32], 1u); }
  __device__ void countWord(unsigned word) {
    count(word);
    count(word >> 8);
    count(word >> 16);
    count(word >> 24);
  }
  __device__ unsigned total(int v) const {
    unsigned sum = 0;
    for (int l = 0; l < 32; ++l) sum += of[v][(v + l) & 31];
    return sum;
  }
};

__global__ void histogram16(const unsigned char* in, unsigned* counts, int n) {
  __shared__ Bins bins;
  bins.clear();
  __syncthreads();

  const uint4* quads = reinterpret_cast<const uint4*>(in);
  const int whole = n / 16;
  for (int i = blockIdx.x * threads + threadIdx.x; i < whole; i += gridDim.x * threads) {
    const uint4 q = quads[i];
    bins.countWord(q.x);
    bins.countWord(q.y);
    bins.countWord(q.z);
    bins.countWord(q.w);
  }
  const int rest = n % 16;
  if (threadIdx.x < rest) bins.count(in[16 * whole + threadIdx.x]);
  __syncthreads();

  const unsigned mine = bins.total(threadIdx.x);
  atomicAdd(&counts[threadIdx.x], mine);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  const int per_block = 16 * 1024;
  int blocks = (n + per_block - 1) / per_block;
  blocks = blocks < most_blocks ? blocks : most_blocks;
  histogram16<<<blocks, threads>>>(in, counts, n);
}

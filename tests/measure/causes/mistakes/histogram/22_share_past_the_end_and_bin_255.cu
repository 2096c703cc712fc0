// CAUSE: two mistakes: the share of the last block ends where a full share would, not at n; and bin 255 is never set to 0
// LINES: 15, 28
// REPAIR: end = min(begin + share, n); v < 256
// GOOD HINT: Where does the share of the last block end, and where do the bytes end? And which bins does your first loop empty?
// SYMPTOM: reads past the end of in; a read of bins[255] before anybody wrote it

#include "histogram.h"

namespace {

constexpr int warps = 4;
constexpr int least = 16384;  // bytes

__device__ void clear(unsigned* bins) {
  for (int v = threadIdx.x; v < 255; v += blockDim.x) bins[v] = 0;
}

__device__ void merge(const unsigned* bins, unsigned* counts) {
  for (int v = threadIdx.x; v < 256; v += blockDim.x) atomicAdd(counts + v, bins[v]);
}

// Each block has a contiguous share.
__global__ void histogram_of_share(const unsigned char* in, unsigned* counts, int n, int share) {
  __shared__ unsigned bins[256];
  clear(bins);
  __syncthreads();
  const int begin = blockIdx.x * share;
  const int end = begin + share;
  for (int i = begin + threadIdx.x; i < end; i += blockDim.x) {
    const unsigned char byte = in[i];
    atomicAdd(&bins[byte], 1u);
  }
  __syncthreads();
  merge(bins, counts);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int share = least;
  while (n / share > 1000) share *= 2;
  const int blocks = (n - 1) / share + 1;
  histogram_of_share<<<blocks, warps * 32>>>(in, counts, n, share);
}

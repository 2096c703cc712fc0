// CAUSE: Two mistakes. (1) The last n mod 16 bytes are counted by every block, not by one of them. (2) There is no barrier between counting and merging: a thread adds its bin to the counts while other warps still count in it.
// LINES: 40, after 40
// REPAIR: `if (last < n)` -> `if (blockIdx.x == 0 && last < n)` (line 40); and insert `__syncthreads();` after line 40
// GOOD HINT: (1) Which blocks execute the line that counts the rest? (2) When thread 5 reads bin 5, how does it know that nobody will add to that bin any more?
// SYMPTOM: (1) With more than one block and n no multiple of 16, the counts of the last bytes are too large. (2) Race between counting and merging: counts too small, differently in each run.
#include "histogram.h"

namespace {

constexpr int values = 256;
constexpr int block = 256;
constexpr int largest_grid = 8 * 132;
constexpr int least_share = 16 * 1024;

__device__ void count_word(unsigned* bins, unsigned word) {
  atomicAdd(&bins[word & 255], 1u);
  atomicAdd(&bins[word >> 8 & 255], 1u);
  atomicAdd(&bins[word >> 16 & 255], 1u);
  atomicAdd(&bins[word >> 24], 1u);
}

__global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[values];
  bins[threadIdx.x] = 0;
  __syncthreads();

  // 16 bytes at a time
  const uint4* in16 = reinterpret_cast<const uint4*>(in);
  const int n16 = n / 16;
  for (int i = blockIdx.x * block + threadIdx.x; i < n16; i += gridDim.x * block) {
    const uint4 four = in16[i];
    count_word(bins, four.x);
    count_word(bins, four.y);
    count_word(bins, four.z);
    count_word(bins, four.w);
  }

  // the last n mod 16 bytes
  const int last = n16 * 16 + threadIdx.x;
  if (last < n) atomicAdd(&bins[in[last]], 1u);

  // merge
  atomicAdd(&counts[threadIdx.x], bins[threadIdx.x]);
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + least_share - 1) / least_share;
  if (blocks > largest_grid) blocks = largest_grid;
  histogram_kernel<<<blocks, block>>>(in, counts, n);
}

// CAUSE: The bytes are loaded as char4, whose members are signed, so values of 128 and more become negative indices; it has to be uchar4.
// LINES: 20
// REPAIR: line 20: `const auto* four = reinterpret_cast<const char4*>(in);` -> `const auto* four = reinterpret_cast<const uchar4*>(in);`
// SYMPTOM: Bytes of 128 and more are counted in front of the array of bins (out of bounds) instead of in their bin; inputs with smaller bytes only are right.
#include "histogram.h"

static constexpr int copies = 32;  // one for each lane

static __device__ void add_one(unsigned (*bins)[copies], int value) {
  atomicAdd(&bins[value][threadIdx.x % copies], 1u);
}

static __global__ void histogram_kernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[256][copies];
  for (int k = threadIdx.x; k < 256 * copies; k += blockDim.x) bins[k / copies][k % copies] = 0;
  __syncthreads();

  const int id = blockIdx.x * blockDim.x + threadIdx.x;
  const int threads = gridDim.x * blockDim.x;
  const auto* four = reinterpret_cast<const char4*>(in);
  for (int i = id; i < n / 4; i += threads) {
    const auto bytes = four[i];
    add_one(bins, bytes.x);
    add_one(bins, bytes.y);
    add_one(bins, bytes.z);
    add_one(bins, bytes.w);
  }
  // up to three bytes are left
  const int last = n / 4 * 4 + id;
  if (last < n) add_one(bins, in[last]);
  __syncthreads();

  unsigned total = 0;
  for (int k = 0; k < copies; ++k) total += bins[threadIdx.x][(threadIdx.x + k) % copies];
  if (total != 0) atomicAdd(counts + threadIdx.x, total);
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n == 0) return;
  int blocks = (n + 16383) / 16384;
  if (blocks > 6 * 132) blocks = 6 * 132;
  histogram_kernel<<<blocks, 256>>>(in, counts, n);
}

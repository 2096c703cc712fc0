// CAUSE: The four bytes are taken from an int. Shifting a negative int to the right fills it with ones, so a top byte of 128 or more gives a negative number, and the bin in front of the array is counted. The word has to be unsigned.
// LINES: 24 26
// REPAIR: line 24: `const int* words = reinterpret_cast<const int*>(in);` -> `const unsigned* words = reinterpret_cast<const unsigned*>(in);`; line 26: `const int w = words[i];` -> `const unsigned w = words[i];`
// SYMPTOM: Accesses outside of the bins as soon as there are bytes from 128 on at a place i with i % 4 == 3; only bytes below 128 are right.

#include "histogram.h"

namespace {

constexpr int BLOCK = 256;
constexpr int COPIES = 32;

__global__ void histogramKernel(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned bins[256][COPIES];
  const int copy = threadIdx.x & (COPIES - 1);

  for (int v = 0; v < 256; v += BLOCK / COPIES) bins[v + threadIdx.x / COPIES][copy] = 0;
  __syncthreads();

  const int start = blockIdx.x * BLOCK + threadIdx.x;
  const int step = gridDim.x * BLOCK;

  // four bytes at a time
  const int* words = reinterpret_cast<const int*>(in);
  for (int i = start; i < n / 4; i += step) {
    const int w = words[i];
    atomicAdd(&bins[w & 0xff][copy], 1u);
    atomicAdd(&bins[(w >> 8) & 0xff][copy], 1u);
    atomicAdd(&bins[(w >> 16) & 0xff][copy], 1u);
    atomicAdd(&bins[w >> 24][copy], 1u);
  }
  // the others
  for (int i = n / 4 * 4 + start; i < n; i += step) atomicAdd(&bins[in[i]][copy], 1u);
  __syncthreads();

  for (int v = threadIdx.x; v < 256; v += BLOCK) {
    unsigned sum = 0;
    for (int c = 0; c < COPIES; ++c) sum += bins[v][(c + copy) & (COPIES - 1)];
    atomicAdd(&counts[v], sum);
  }
}

}  // namespace

void histogram(const unsigned char* in, unsigned* counts, int n) {
  int blocks = (n + 16383) / 16384;
  if (blocks == 0) return;
  if (blocks > 900) blocks = 900;
  histogramKernel<<<blocks, BLOCK>>>(in, counts, n);
}

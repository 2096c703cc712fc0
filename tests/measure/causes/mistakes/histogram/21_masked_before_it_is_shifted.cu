// CAUSE: the word is masked before it is shifted, so that only its lowest byte is left, and bytes 1 to 3 are always 0
// LINES: 13
// REPAIR: (word >> shift) & 0xff
// GOOD HINT: What is left of the word 0x04030201 after & 0xff, and what when you shift that by 8?
// SYMPTOM: far too many zeros, and a quarter of the other bytes

#include "histogram.h"

constexpr int BLOCK = 256;

__device__ void countWord(unsigned* h, unsigned word) {
  for (int shift = 0; shift < 32; shift += 8) {
    atomicAdd(&h[(word & 0xff) >> shift], 1u);
  }
}

__global__ void histo(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned h[BLOCK];
  const int t = threadIdx.x;
  h[t] = 0;
  __syncthreads();

  const unsigned* words = reinterpret_cast<const unsigned*>(in);
  const int wordCount = n / 4;
  const int id = blockIdx.x * BLOCK + t;
  const int all = gridDim.x * BLOCK;
  for (int w = id; w < wordCount; w += all) countWord(h, words[w]);
  // what does not fill a word
  for (int i = wordCount * 4 + id; i < n; i += all) atomicAdd(&h[in[i]], 1u);
  __syncthreads();

  if (h[t] > 0) atomicAdd(&counts[t], h[t]);
}

void histogram(const unsigned char* in, unsigned* counts, int n) {
  if (n > 0) {
    const int blocks = n / 32768 + 1;
    histo<<<blocks < 528 ? blocks : 528, BLOCK>>>(in, counts, n);
  }
}

// CAUSE: The second kernel adds up the partial sums in work, of which there is one per block, but it is told to add up n of them.
// LINES: 52
// REPAIR: line 52: `final_sum<<<1, N_THREADS>>>(work, out, n);` -> `final_sum<<<1, N_THREADS>>>(work, out, blocks);`
// SYMPTOM: The second kernel reads numbers of work that nobody wrote, and past its end: a wrong sum, often huge or NaN, for all n > 256.
#include "reduction.h"

#define N_THREADS 256
#define MAX_BLOCKS 512

// adds up the N_THREADS numbers in s, the sum is in s[0] afterwards
__device__ void tree(float* s) {
  const int t = threadIdx.x;
  for (int half = N_THREADS / 2; half >= 1; half /= 2) {
    __syncthreads();
    if (t < half) {
      s[t] += s[t + half];
    }
  }
}

// step 1: every block makes a partial sum
__global__ void partial_sums(const float* in, float* partial, int n) {
  __shared__ float s[N_THREADS];
  float acc = 0.0f;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  while (i < n) {
    acc += in[i];
    i += blockDim.x * gridDim.x;
  }
  s[threadIdx.x] = acc;
  tree(s);
  if (threadIdx.x == 0) partial[blockIdx.x] = s[0];
}

// step 2: one block adds up the partial sums
__global__ void final_sum(const float* partial, float* out, int count) {
  __shared__ float s[N_THREADS];
  float acc = 0.0f;
  for (int i = threadIdx.x; i < count; i += N_THREADS) {
    acc += partial[i];
  }
  s[threadIdx.x] = acc;
  tree(s);
  if (threadIdx.x == 0) out[0] = s[0];
}

void sum(const float* in, float* out, float* work, int n) {
  int blocks = (n + N_THREADS - 1) / N_THREADS;
  if (blocks > MAX_BLOCKS) blocks = MAX_BLOCKS;
  if (blocks == 0) blocks = 1;  // n = 0: the sum is 0
  partial_sums<<<blocks, N_THREADS>>>(in, work, n);
  final_sum<<<1, N_THREADS>>>(work, out, n);
}

// CAUSE: the loop over a thread's elements adds in[start], the first of them, in every round, not in[i]
// LINES: 28
// REPAIR: in[i]
// GOOD HINT: Which of the variables in the loop changes from round to round? Which one is the index?
// SYMPTOM: wrong sum as soon as a thread has more than one element

#include "reduction.h"

template <int BLOCK>
__device__ float treeSum(float mine) {
  __shared__ float s[BLOCK];
  const int t = threadIdx.x;
  s[t] = mine;
  __syncthreads();
  for (int half = BLOCK / 2; half >= 1; half /= 2) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  return s[0];
}

template <int BLOCK>
__global__ void reduce(const float* in, float* out, int n) {
  const int start = blockIdx.x * BLOCK + threadIdx.x;
  const int stride = BLOCK * gridDim.x;
  float mine = 0.0f;
  for (int i = start; i < n; i += stride) {
    mine += in[start];
  }
  const float total = treeSum<BLOCK>(mine);
  if (threadIdx.x == 0) out[blockIdx.x] = total;
}

void sum(const float* in, float* out, float* work, int n) {
  const int wanted = (n + 4095) / 4096;
  if (wanted <= 1) {
    reduce<256><<<1, 256>>>(in, out, n);
    return;
  }
  const int blocks = wanted < 512 ? wanted : 512;
  reduce<256><<<blocks, 256>>>(in, work, n);
  reduce<256><<<1, 256>>>(work, out, blocks);
}

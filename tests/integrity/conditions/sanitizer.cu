// Asks whether the build is instrumented.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: must be the same program for all compilers

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) {
#ifndef __SANITIZE_THREAD__
  __shared__ int tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  if (i >= n) return;
  const int left = threadIdx.x % 32 > 0 ? tile[threadIdx.x - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = tile[threadIdx.x] - left;
#else
  __shared__ int tile[256];
  const int i = blockIdx.x * 256 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i >= n) return;
  const int left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = tile[threadIdx.x] - left;
#endif
}

void diff(const int* in, int* out, int n) {
  if (n > 0) diff_kernel<<<(n + 255) / 256, 256>>>(in, out, n);
}

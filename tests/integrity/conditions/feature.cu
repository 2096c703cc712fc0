// Asks clang for its features.
// Lab: diff
// Verdict: rejected
// Earns: nothing
// Says: __has_feature is not allowed

#include "diff.h"

__global__ void diff_kernel(const int* in, int* out, int n) {
#if defined(__has_feature)
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

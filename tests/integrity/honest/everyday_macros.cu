// Macros as students write them: none of them asks who compiles.
// Lab: diff
// Verdict: graded
// Earns: everything

#include <cassert>
#include <cfloat>
#include <cmath>
#include <cstdio>

#include "diff.h"

#ifndef BLOCK
#define BLOCK 256
#endif
#if BLOCK % 32 != 0 || BLOCK > 1024
#error BLOCK must be a multiple of 32
#endif

#define CHECK(call)                                                                             \
  do {                                                                                          \
    const cudaError_t error = (call);                                                           \
    if (error != cudaSuccess) {                                                                 \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(error)); \
    }                                                                                           \
  } while (0)
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))
#define KERNEL(name) name##_kernel

#ifdef DEBUG
#define TRACE(...) printf(__VA_ARGS__)
#else
#define TRACE(...)
#endif

// For the editor, which does not know CUDA.
#ifdef __INTELLISENSE__
#define __launch_bounds__(threads)
void __syncthreads();
#endif
#ifndef __CUDACC__
#define __CUDACC__
#endif

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
#error this needs a GPU of 2016 or later
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#ifndef FLT_MAX
#define FLT_MAX 3.402823466e+38f
#endif
#if defined(_WIN32) || defined(_MSC_VER)
#pragma warning(disable : 4267)
#endif

__global__ void __launch_bounds__(BLOCK) KERNEL(diff)(const int* in, int* out, int n) {
  __shared__ int tile[BLOCK];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0;
  __syncthreads();
  if (i >= n) return;
  assert(FLT_MAX > M_PI && !isnan(INFINITY) && in != NULL);
  TRACE("%s: %d\n", __func__, i);
  const int left = threadIdx.x > 0 ? tile[threadIdx.x - 1] : i > 0 ? in[i - 1] : 0;
  out[i] = tile[threadIdx.x] - left;
}

void diff(const int* in, int* out, int n) {
  if (n == 0) return;
  KERNEL(diff)<<<CEIL_DIV(n, BLOCK), BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}

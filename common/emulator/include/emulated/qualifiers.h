#pragma once

/// CUDA's declaration specifiers.

// The words for where code runs stay in the text, because the rewriter checks calls between host
// and device. It removes them afterwards.

// A kernel is never inlined: otherwise the compiler could share reads of threadIdx between threads.
#ifdef TILELAB_CHECKED
// Everything is inlined into the kernel, as nvcc does. Arguments then need no copies in memory, and
// the code address alone tells where a lane is.
#define __global__ __global__ __attribute__((noinline, flatten))
#else
#define __global__ __global__ __attribute__((noinline))
#endif
#define __host__ __host__
#define __device__ __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __maxnreg__(...)
// The rewriter takes these two out.
#define __launch_bounds__(...) __attribute__((tilelab_launch_bounds(__VA_ARGS__)))
#define __cluster_dims__(...) __attribute__((tilelab_cluster_dims(__VA_ARGS__)))
#define __grid_constant__

// Constant memory is a plain global variable.
#ifdef TILELAB_CHECKED
// `used`, because clang would treat a variable that the file never writes as a known value.
#define __constant__ __constant__ __attribute__((section("tilelab_constant"), used))
#else
#define __constant__ __constant__
#endif

// A variable that host code may use as well: so does every variable here.
#define __managed__ __managed__

// The rewriter replaces this word, because the result depends on the declaration around it. (It
// replaces __noinline__ as well, which as a macro would break libstdc++'s headers.)
#if defined(TILELAB_CHECKED) && !defined(__clang__)
// Without __constinit, arrays of the checked vector types would get a guard and code that
// initializes them once.
#define __shared__ __constinit tilelab_watched_shared_memory
#elif defined(TILELAB_CHECKED)
#define __shared__ tilelab_watched_shared_memory
#else
#define __shared__ tilelab_shared_memory
#endif

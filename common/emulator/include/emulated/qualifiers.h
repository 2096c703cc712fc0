#pragma once

/// CUDA's declaration specifiers.

// A kernel is never inlined, so that no two threads' reads of threadIdx meet in one function.
#ifdef TILELAB_CHECKED
// Everything is inlined into the kernel, as nvcc does it: arguments need no copies in memory, and a
// warp's lanes can be told apart by where they are.
#define __global__ __attribute__((noinline, flatten))
#else
#define __global__ __attribute__((noinline))
#endif
#define __host__
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__

// Constant memory is a global variable that a kernel may read; nothing here costs more to write.
#ifdef TILELAB_CHECKED
// Used: or clang takes one that the file itself never writes for a known value.
#define __constant__ __attribute__((section("tilelab_constant"), used))
#else
#define __constant__
#endif

// The launch rewriter replaces this, because what it becomes depends on the declaration around it.
// (__noinline__ is one of its words too: as a macro it would break libstdc++'s headers.)
#if defined(TILELAB_CHECKED) && !defined(__clang__)
// Arrays of the checked vector types would get a guard, and code that sets them up once.
#define __shared__ __constinit tilelab_shared_memory
#else
#define __shared__ tilelab_shared_memory
#endif

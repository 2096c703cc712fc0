#pragma once

/// CUDA's declaration specifiers.

// A kernel is never inlined, so that no two threads' reads of threadIdx meet in one function.
#define __global__ __attribute__((noinline))
#define __host__
#define __device__
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __grid_constant__

// Constant memory is a global variable that a kernel may read; nothing here costs more to write.
#define __constant__

// The launch rewriter replaces this, because what it becomes depends on the declaration around it.
// (__noinline__ is one of its words too: as a macro it would break libstdc++'s headers.)
#define __shared__ tilelab_shared_memory

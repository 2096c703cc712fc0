#pragma once

/// The built-in variables of a kernel.

#include "vector_types.h"

// The scheduler changes these when it switches threads. They are declared const because no thread
// ever sees its own values change: a value that the compiler keeps in a register stays right.
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
extern const int warpSize;

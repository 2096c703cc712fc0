#pragma once

/// The built-in variables of a kernel.

#include "vector_types.h"

// The scheduler changes these when it changes threads. Declared const because no thread ever sees
// its own values change: what the compiler keeps in a register, it keeps for the right thread.
extern const uint3 threadIdx;
extern const uint3 blockIdx;
extern const dim3 blockDim;
extern const dim3 gridDim;
extern const int warpSize;

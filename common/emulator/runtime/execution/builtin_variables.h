#pragma once

#include "vector_types.h"

// The variables behind device_launch_parameters.h, which declares them const for kernels.
extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

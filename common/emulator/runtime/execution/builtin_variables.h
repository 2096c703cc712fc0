#pragma once

#include "vector_types.h"

// The built-in variables, which device_launch_parameters.h declares const for kernels.
extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

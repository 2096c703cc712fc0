#include "builtin_variables.h"

uint3 threadIdx;
uint3 blockIdx;
dim3 blockDim;
dim3 gridDim;

extern const int warpSize;
const int warpSize = 32;

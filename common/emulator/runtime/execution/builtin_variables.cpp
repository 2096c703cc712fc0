#include "emulator/runtime/execution/builtin_variables.h"

// In one section, so that the observer can tell them from other variables.
[[gnu::section("tilelab_builtin")]] uint3 threadIdx{};
[[gnu::section("tilelab_builtin")]] uint3 blockIdx{};
[[gnu::section("tilelab_builtin")]] dim3 blockDim;
[[gnu::section("tilelab_builtin")]] dim3 gridDim;

extern const int warpSize;
const int warpSize = 32;

#pragma once

#include <cuda_runtime.h>

/// The index of the nearest other point. Device memory.
void nearest(const float3* points, int* result, int n);

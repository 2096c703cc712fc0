#pragma once

#include <cuda_runtime.h>

/// Kernels that are timed. All pointers are to device memory.

void matmul(const float* a, const float* b, float* c, int n);
void nearest(const float3* points, int* result, int n);
void reduction(const int* in, int* sums, int n);
void transpose(const float* in, float* out, int n);

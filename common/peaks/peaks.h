#pragma once

/// What a GPU can do at most, measured beside the kernels that are judged: as a lab's contract, so
/// that a worker runs it as it runs a submission.

/// out[i] = in[i] for 0 <= i < n, by the CUDA runtime's own copy on the device.
void copy(const int* in, int* out, int n);

/// n threads, a multiple of fma_block, each of which issues fma_steps fused multiply-adds that keep
/// a number what it is, and stores it: out[i] = i.
void multiply_add(float* out, int n);

inline constexpr int fma_block = 256;
inline constexpr int fma_steps = 1 << 13;

#define TILELAB_LAB_FUNCTIONS(FUNCTION) \
  FUNCTION(copy, in, out, n)            \
  FUNCTION(multiply_add, out, n)

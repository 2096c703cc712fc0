#pragma once

/// Kernels that reach the hardware's peaks. They have a contract like a lab's, so a worker runs and
/// the judge times them like a submission.

/// Computes out[i] = in[i] for 0 <= i < n with the CUDA runtime's own copy on the device.
void copy(const unsigned* in, unsigned* out, int n);

/// Reads in[0 .. n). n is a multiple of read_tile, and in consists of tiles of this many elements.
/// out[b] becomes the sum, modulo 2^32, of the tiles b, b + read_blocks, b + 2 * read_blocks, ...,
/// for 0 <= b < read_blocks.
void read_all(const unsigned* in, unsigned* out, int n);

inline constexpr int read_tile = 1 << 13;
inline constexpr int read_blocks = 2112;

/// Computes out[i] = i for 0 <= i < n, a multiple of fma_block. Thread i issues fma_steps fused
/// multiply-adds that do not change its number, and then stores it.
void multiply_add(float* out, int n);

inline constexpr int fma_block = 256;
inline constexpr int fma_steps = 1 << 13;

#define TILELAB_LAB_FUNCTIONS(FUNCTION) \
  FUNCTION(copy, in, out, n)            \
  FUNCTION(read_all, in, out, n)        \
  FUNCTION(multiply_add, out, n)

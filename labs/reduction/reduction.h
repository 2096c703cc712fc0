#pragma once

/// The sum of n numbers.
///
/// `out[0]` becomes `in[0] + in[1] + ... + in[n - 1]`, and 0 if n is 0. Any order of the additions
/// will do, but it must not change from call to call: equal inputs give equal bits.
///
/// Each addition rounds. A result is right if it differs from the exact sum by no more than
/// `min(n, 10000) * 2^-24` times the sum of all magnitudes, which is the most that rounding can do
/// to an element that takes part in 10,000 additions. If one of the infinities is among the
/// elements, the sum is that infinity. If both are, or a NaN, the sum is a NaN. Otherwise the
/// magnitudes add up to less than 1e38, so that no order of the additions overflows.
///
/// All arrays are in device memory, aligned to 16 bytes, and do not overlap. Launch on the default
/// stream; the caller synchronizes and checks for errors.
///
/// @param in    n numbers, read only
/// @param out   one number, the sum
/// @param work  n / 32 + 64 numbers to work with, such as the sums of blocks. They hold anything at
///              first, and what they hold at the end does not matter.
/// @param n     the number of elements, 0 to 2^30
void sum(const float* in, float* out, float* work, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(F) F(sum, in, out, scratch(work), n)

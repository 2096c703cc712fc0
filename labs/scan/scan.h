#pragma once

/// The prefix sums of n numbers.
///
/// `out[i]` becomes `in[0] + in[1] + ... + in[i]`, for each i from 0 to n - 1. The sums are
/// inclusive: element i is part of `out[i]`, and `out[n - 1]` is the sum of all. They wrap around
/// at 2^32, as unsigned numbers do, so every order of the additions gives the same bits.
///
/// All arrays are in device memory, aligned to 16 bytes, and do not overlap. Launch on the default
/// stream; the caller synchronizes and checks for errors.
///
/// @param in    n numbers, read only
/// @param out   n numbers, the sums
/// @param work  n / 16 + 64 numbers to work with, such as the sums of blocks. They hold anything at
///              first, and what they hold at the end does not matter.
/// @param n     the number of elements, 0 to 2^30
void scan(const unsigned* in, unsigned* out, unsigned* work, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(F) F(scan, in, out, scratch(work), n)

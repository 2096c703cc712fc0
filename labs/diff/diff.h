#pragma once

/// Adjacent difference of a row of integers.
///
/// `out[0] = in[0]`, and `out[i] = in[i] - in[i - 1]` for 0 < i < n. A difference that does not fit
/// an `int` wraps (two's complement), as in a CUDA register.
///
/// Both arrays are in device memory and do not overlap. Launch on the default stream; the caller
/// synchronizes and checks for errors.
///
/// @param in   n integers, to be read only
/// @param out  n integers, each to be written exactly within out[0 .. n)
/// @param n    any number of elements >= 0; with n = 0 there is nothing to do
void diff(const int* in, int* out, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(FUNCTION) FUNCTION(diff, in, out, n)

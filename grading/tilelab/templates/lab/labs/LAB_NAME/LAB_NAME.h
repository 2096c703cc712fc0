#pragma once

// TODO(instructor): document what your function does: shapes, units, edge cases.

/// A row of numbers times a factor.
///
/// `out[i] = factor * in[i]` for 0 <= i < n, exactly as one multiplication of floats gives it.
///
/// Both arrays are in device memory and do not overlap. Launch on the default stream; the caller
/// synchronizes and checks for errors.
///
/// @param in      n numbers, to be read only
/// @param out     n numbers, each to be written exactly within out[0 .. n)
/// @param factor  what each is multiplied by
/// @param n       any number of elements >= 0; with n = 0 there is nothing to do
void LAB_NAME(const float* in, float* out, float factor, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(FUNCTION) FUNCTION(LAB_NAME, in, out, factor, n)

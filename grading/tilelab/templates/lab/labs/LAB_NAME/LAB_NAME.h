#pragma once

// TODO(instructor): document what your function does: shapes, units, edge cases.

/// A row of numbers times a factor.
///
/// `out[i] = factor * in[i]` for 0 <= i < n, exactly as C computes it.
///
/// Both arrays are in device memory and do not overlap. Launch on the default stream; the caller
/// synchronizes and checks for errors.
///
/// @param in      n numbers, read only
/// @param out     n numbers; the function writes all of them and nothing else
/// @param factor  the factor of every element
/// @param n       the number of elements, >= 0; if n = 0 the function does nothing
void LAB_NAME(const ELEMENT* in, ELEMENT* out, ELEMENT factor, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(F) F(LAB_NAME, in, out, factor, n)

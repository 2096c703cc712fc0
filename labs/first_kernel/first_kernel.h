#pragma once

#include <driver_types.h>

/// A times x plus y, element by element ("saxpy": single-precision a x plus y).
///
/// `out[i] = a * x[i] + y[i]` for 0 <= i < n. Both ways to round are right: once, as a fused
/// multiply-add does, or after the product and after the sum.
///
/// All arrays are in device memory and do not overlap. Launch on the default stream; the caller
/// synchronizes and checks for errors.
///
/// @param x    n numbers, to be read only
/// @param y    n numbers, to be read only
/// @param out  n numbers, each to be written exactly within out[0 .. n)
/// @param a    the factor
/// @param n    any number of elements >= 0; with n = 0 there is nothing to do
void saxpy(const float* x, const float* y, float* out, float a, int n);

/// The same, with each result kept within bounds.
///
/// `out[i]` is `a * x[i] + y[i]`, or `low` if that is less than `low`, or `high` if it is more than
/// `high`.
///
/// @param x     n numbers in device memory, to be read only
/// @param y     n numbers in device memory, to be read only
/// @param out   n numbers in device memory, each to be written exactly within out[0 .. n)
/// @param a     the factor
/// @param low   the least result
/// @param high  the largest result, >= low
/// @param n     any number of elements >= 0; with n = 0 there is nothing to do
void saxpy_clamped(const float* x, const float* y, float* out, float a, float low, float high,
                   int n);

/// Saxpy for arrays in host memory: the whole trip to the device and back.
///
/// The function allocates device memory, copies x and y there, computes on the device, copies the
/// result to `out`, and frees what it allocated. When it returns, `out` is complete. Only
/// cudaMemcpy() may touch the elements of x, y and out: what the host reads of them is not the
/// device's work.
///
/// @param x    n numbers in host memory, to be read only
/// @param y    n numbers in host memory, to be read only
/// @param out  n numbers in host memory, each to be written exactly within out[0 .. n)
/// @param a    the factor
/// @param n    any number of elements >= 0; with n = 0 there is nothing to do
/// @return     cudaSuccess, or the error of the first CUDA call that failed, after which no call
///             follows but cudaFree(), and those that destroy its own streams and events
cudaError_t saxpy_from_host(const float* x, const float* y, float* out, float a, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(FUNCTION)               \
  FUNCTION(saxpy, x, y, out, a, n)                    \
  FUNCTION(saxpy_clamped, x, y, out, a, low, high, n) \
  FUNCTION(saxpy_from_host, x, y, out, a, n)

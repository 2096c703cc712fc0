#pragma once

/// The product of two matrices.
///
/// `c[row * n + column]` is the sum of `a[row * k + i] * b[i * n + column]` over 0 <= i < k, for
/// 0 <= row < m and 0 <= column < n. All three matrices are stored row after row, without gaps: a
/// row of `a` has `k` elements, one of `b` and one of `c` has `n`.
///
/// Products and sums are those of float, added up in any order. The result may be off by (1 + 4
/// sqrt(k)) times 2^-24 times the sum of the magnitudes |a * b|, which formats with fewer digits
/// exceed. Infinities and NaNs may be among the elements: they only reach elements of `c` that
/// depend on them.
///
/// All arrays are in device memory, begin at multiples of 16 bytes, and do not overlap. Launch on
/// the default stream; the caller synchronizes and checks for errors.
///
/// @param a  m * k numbers, read only
/// @param b  k * n numbers, read only
/// @param c  m * n numbers; the function writes all of them and nothing else
/// @param m  the number of rows of `a` and `c`, 0 to 500,000
/// @param n  the number of columns of `b` and `c`, 0 to 500,000. If m or n is 0, the function does
///           nothing.
/// @param k  the number of columns of `a` and of rows of `b`, 0 to 500,000. If it is 0, all sums
///           are empty, and `c` is filled with zeros. No matrix has 2^31 elements or more.
void matmul(const float* a, const float* b, float* c, int m, int n, int k);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(F) F(matmul, a, b, c, m, n, k)

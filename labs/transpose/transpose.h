#pragma once

/// The transpose of a matrix.
///
/// `out[c * rows + r] = in[r * columns + c]` for 0 <= r < rows and 0 <= c < columns. Both matrices
/// are stored row after row, without gaps: element c of row r of `in` becomes element r of row c of
/// `out`. A row of `in` has `columns` elements, a row of `out` has `rows`.
///
/// Both arrays are in device memory, aligned as a float is, and do not overlap. Launch on the
/// default stream; the caller synchronizes and checks for errors.
///
/// @param in       rows * columns numbers, read only
/// @param out      columns * rows numbers; the function writes all of them and nothing else
/// @param rows     the number of rows of `in`, 0 to 500,000
/// @param columns  the number of columns of `in`, 0 to 500,000; rows * columns < 2^31. If one of
///                 the two is 0, the function does nothing.
void transpose(const float* in, float* out, int rows, int columns);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(F) F(transpose, in, out, rows, columns)

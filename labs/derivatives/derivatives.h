#pragma once

/// First derivatives of a periodic field on a 3-D grid, of eighth order.
///
/// The grid has mx x my x mz points; x is fastest: point (i, j, k) has the index
/// `(k * my + j) * mx + i`. With `spacing` h between neighbors, and j short for (i, j, k):
///
///     df[j] = (  4/5   * (f[j + 1] - f[j - 1])
///              - 1/5   * (f[j + 2] - f[j - 2])
///              + 4/105 * (f[j + 3] - f[j - 3])
///              - 1/280 * (f[j + 4] - f[j - 4]) ) / h
///
/// The field is periodic, and its last point repeats its first: the period is my - 1. So a place
/// left of the grid is read one period to the right, and a place right of it one period to the
/// left: f[-1] is f[my - 2], and f[my] is f[1]. A place within the grid is read as it is, even if
/// f[my - 1] and f[0] differ.
///
/// The order of the additions is free, within the rounding of a few float operations; but each
/// difference comes first, so that the derivative of a field that is constant along the axis is
/// exactly 0.
///
/// Both arrays are in device memory, aligned as a float is, and do not overlap. Launch on the
/// default stream; the caller synchronizes and checks for errors.
///
/// @param f        mx * my * mz values, to be read only
/// @param df       mx * my * mz values, each to be written
/// @param mx       points along x, any number >= 9; the same goes for my and mz
/// @param my       points along y
/// @param mz       points along z; mx * my * mz is less than 2^31
/// @param spacing  distance between two neighboring points along the axis, > 0
void derivative_y(const float* f, float* df, int mx, int my, int mz, float spacing);

/// The same along z, where the period is mz - 1.
void derivative_z(const float* f, float* df, int mx, int my, int mz, float spacing);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(FUNCTION)              \
  FUNCTION(derivative_y, f, df, mx, my, mz, spacing) \
  FUNCTION(derivative_z, f, df, mx, my, mz, spacing)

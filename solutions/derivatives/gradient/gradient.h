#pragma once

/// What a simulation needs: derivatives along all three axes. They are not a task of the lab, and
/// no submission defines them. Grid, ends, rounding and memory are as in derivatives.h.

/// df/dx: the same as derivative_y(), along x, where the period is mx - 1.
void derivative_x(const float* f, float* df, int mx, int my, int mz, float spacing);

/// All three at once, with the same spacing along each axis.
///
/// @param f        mx * my * mz values, to be read only
/// @param dfdx     mx * my * mz values, each to be written; the same goes for dfdy and dfdz
/// @param dfdy     as dfdx
/// @param dfdz     as dfdx
/// @param mx       points along x, any number >= 9; the same goes for my and mz
/// @param my       points along y
/// @param mz       points along z; mx * my * mz is less than 2^31
/// @param spacing  distance of two neighboring points, > 0
void gradient(const float* f, float* dfdx, float* dfdy, float* dfdz, int mx, int my, int mz,
              float spacing);

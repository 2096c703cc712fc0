#pragma once

#include <vector_types.h>

/// The nearest other point of each of n points in space.
///
/// `nearest[i]` is the index j != i whose squared distance dx*dx + dy*dy + dz*dz to point i is
/// least; where several points are equally near, it is the lowest of their indices. Only finite
/// distances count: `nearest[i]` is -1 where there is no other point (n = 1), and where no other
/// point has a finite squared distance to point i, because a coordinate is infinite or NaN or
/// because the sum overflows a float. In short, `nearest[i]` is what this loop finds:
///
///     float best = FLT_MAX;
///     int nearest = -1;
///     for (int j = 0; j < n; ++j) {
///       if (j != i && squared_distance(i, j) < best) best = squared_distance(i, j), nearest = j;
///     }
///
/// Compute in float, and round as you like: any point whose exact squared distance is at most one
/// part in a million above the least is accepted. Where no rounding takes place, as with small
/// whole coordinates, it has to be the lowest index. Squared distances are 0, or at least 1e-30.
///
/// Both arrays are in device memory and do not overlap; they are aligned to 4 bytes, as their
/// element types are, and perhaps to no more. Launch on the default stream; the caller synchronizes
/// and checks for errors.
///
/// @param points   n points, to be read only
/// @param nearest  n indices in [-1, n), each to be written exactly within nearest[0 .. n)
/// @param n        any number of points >= 0; with n = 0 there is nothing to do
void nearest_neighbor(const float3* points, int* nearest, int n);

// For the harness: the functions that a submission defines, and their parameters' names.
#define TILELAB_LAB_FUNCTIONS(FUNCTION) FUNCTION(nearest_neighbor, points, nearest, n)

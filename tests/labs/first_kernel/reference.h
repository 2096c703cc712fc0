#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

/// The right results of the lab `first_kernel`.
namespace tilelab::first_kernel {

/// What the functions of the lab are called with.
struct Problem {
  std::vector<float> x, y;
  float a = 0;
  float low = 0, high = 0;  ///< The bounds of saxpy_clamped.
  float unit = 1;           ///< A power of 2: elements and bounds are some of it.

  int n() const { return static_cast<int>(x.size()); }
};

/// The magnitudes of factors are less than it, and those of elements at most a unit.
constexpr float largest_factor = 4;

/// How far a result may be off, in units.
///
/// With u = 2^-24, the largest rounding error of a float relative to it: the product is less than
/// 4, so it is off by at most 4u, and the sum is less than 5, so it adds at most 5u. The expected
/// value is a float, which is another 5u. A fused multiply-add only leaves the first rounding out.
/// That makes 14u; and 16u are 2^-20. Bounds are floats, and move no two numbers further apart.
constexpr double tolerance = 0x1p-20;

/// One element of the result, computed in float64.
inline double saxpy_at(const Problem& p, std::size_t i) { return double{p.a} * p.x[i] + p.y[i]; }

/// All elements of the result.
inline std::vector<float> saxpy_of(const Problem& p) {
  std::vector<float> out(p.x.size());
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<float>(saxpy_at(p, i));
  return out;
}

/// The same within bounds.
inline std::vector<float> clamped_saxpy_of(const Problem& p) {
  std::vector<float> out = saxpy_of(p);
  for (float& value : out) value = std::clamp(value, p.low, p.high);
  return out;
}

}  // namespace tilelab::first_kernel

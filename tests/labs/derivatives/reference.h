#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <span>
#include <string>
#include <utility>
#include <vector>

/// Periodic fields on a grid, and their derivatives in float64.
namespace derivatives {

enum class Axis { x, y, z };

inline const char* name_of(Axis axis) {
  constexpr const char* names[] = {"x", "y", "z"};
  return names[static_cast<int>(axis)];
}

/// A grid of mx x my x mz points. Neighbors along x are neighbors in memory.
struct Grid {
  int mx, my, mz;

  std::size_t size() const { return std::size_t(mx) * my * mz; }
  int extent(Axis axis) const { return std::array{mx, my, mz}[static_cast<int>(axis)]; }
  std::size_t stride(Axis axis) const {
    return std::array{std::size_t(1), std::size_t(mx),
                      std::size_t(mx) * my}[static_cast<int>(axis)];
  }
  int coordinate(std::size_t point, Axis axis) const {
    return static_cast<int>(point / stride(axis) % extent(axis));
  }
  std::string place(std::size_t point) const {
    return "(i=" + std::to_string(coordinate(point, Axis::x)) +
           ", j=" + std::to_string(coordinate(point, Axis::y)) +
           ", k=" + std::to_string(coordinate(point, Axis::z)) + ")";
  }
};

/// A field, and the derivative that a test asks for.
struct Problem {
  Axis axis;
  Grid grid;
  float spacing;
  std::vector<float> f;
};

constexpr int halo = 4;
constexpr std::array<double, halo> coefficients = {4.0 / 5, -1.0 / 5, 4.0 / 105, -1.0 / 280};

/// The place in a pencil of m points that has the value of `place`, up to `halo` points outside.
inline int wrap(int place, int m, int period) {
  return place < 0 ? place + period : place >= m ? place - period : place;
}

/// The difference f[+d] - f[-d] at a point, along an axis whose ends are joined with `period`.
inline double difference(std::span<const float> f, const Grid& grid, Axis axis, std::size_t point,
                         int d, int period) {
  const int m = grid.extent(axis), at = grid.coordinate(point, axis);
  const std::size_t stride = grid.stride(axis), start = point - at * stride;
  return double(f[start + wrap(at + d, m, period) * stride]) -
         double(f[start + wrap(at - d, m, period) * stride]);
}

inline double derivative_at(const Problem& p, Axis axis, std::size_t point, int period) {
  double sum = 0;
  for (int d = 1; d <= halo; ++d) {
    sum += coefficients[d - 1] * difference(p.f, p.grid, axis, point, d, period);
  }
  return sum / p.spacing;
}

inline double derivative_at(const Problem& p, std::size_t point) {
  return derivative_at(p, p.axis, point, p.grid.extent(p.axis) - 1);
}

inline std::vector<float> derivative(const Problem& p) {
  std::vector<float> result(p.f.size());
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = static_cast<float>(derivative_at(p, i));
  }
  return result;
}

/// How far a derivative computed in float may be from the one above, if no |f| is larger than
/// `largest`.
///
/// Count the roundings of a product c * f: c itself once, f - f once, scaling twice (1 / h and the
/// factor, or c / h), the product once, up to seven additions, and the reference once more when it
/// becomes a float. That is 12 times by at most 2^-24 of the product's size. The sizes of all
/// products add up to no more than 2 * sum |c| * largest / h.
inline double tolerance(double largest, double spacing) {
  constexpr int roundings = 12;
  constexpr double unit = 1.0 / (1 << 24);
  double sum = 0;
  for (const double c : coefficients) sum += std::abs(c);
  return roundings * unit * 2 * sum * largest / spacing;
}

}  // namespace derivatives

#pragma once

#include <vector_types.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

/// The right results of the lab `nearest_neighbor`, computed in float64.
namespace tilelab::nearest {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// The squared distance. It is infinite if it does not count because it is a NaN or too large for a
/// float.
inline double squared_distance(const float3& a, const float3& b) {
  const double dx = double{a.x} - b.x, dy = double{a.y} - b.y, dz = double{a.z} - b.z;
  const double sum = dx * dx + dy * dy + dz * dz;
  return sum <= double{FLT_MAX} ? sum : infinity;
}

struct Neighbor {
  int index = -1;              ///< Its index, or -1 if there is none.
  double distance = infinity;  ///< The squared distance to it, or infinity.
};

/// Finds a point's neighbor by trying all, in the order that the contract gives.
inline Neighbor neighbor_of(const std::vector<float3>& points, std::size_t own) {
  Neighbor best;
  for (std::size_t j = 0; j < points.size(); ++j) {
    if (j == own) continue;
    const double distance = squared_distance(points[own], points[j]);
    if (distance < best.distance) best = {static_cast<int>(j), distance};
  }
  return best;
}

struct Neighbors {
  std::vector<int> index;        ///< That of each point's neighbor.
  std::vector<double> distance;  ///< The squared distance to it.
};

/// Finds all neighbors by trying all pairs.
inline Neighbors all_pairs(const std::vector<float3>& points) {
  Neighbors result;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Neighbor neighbor = neighbor_of(points, i);
    result.index.push_back(neighbor.index);
    result.distance.push_back(neighbor.distance);
  }
  return result;
}

/// Finds the least squared distance from a point to another, for finite points. From a point it
/// searches along the x axis, in both directions, until x alone is farther away than the nearest
/// point so far. That is fast for points in a long box.
class Search {
 public:
  Search() = default;
  explicit Search(const std::vector<float3>& points) : place_(points.size()) {
    std::vector<int> by_x(points.size());
    std::iota(by_x.begin(), by_x.end(), 0);
    std::sort(by_x.begin(), by_x.end(), [&](int a, int b) { return points[a].x < points[b].x; });
    for (const int i : by_x) {
      place_[i] = static_cast<int>(sorted_.size());
      sorted_.push_back(points[i]);
    }
  }

  /// The least squared distance from point i to another.
  double least_distance(std::size_t i) const {
    const int n = static_cast<int>(sorted_.size()), own = place_[i];
    double best = infinity;
    for (const int step : {-1, 1}) {
      for (int j = own + step; j >= 0 && j < n; j += step) {
        const double dx = double{sorted_[own].x} - sorted_[j].x;
        if (dx * dx >= best) break;
        best = std::min(best, squared_distance(sorted_[own], sorted_[j]));
      }
    }
    return best;
  }

 private:
  std::vector<float3> sorted_;
  std::vector<int> place_;  // of each point among them
};

/// A right answer may exceed the least squared distance by this share of it.
///
/// A squared distance takes five roundings of at most u = 2^-24 each (a difference, which counts
/// twice because it is squared, a product and two sums), so it is off by at most 5u of itself.
/// Fused multiply-adds only leave roundings out. A point can seem nearer than another if their
/// distances differ by no more than both errors, 10u = 6e-7. The rest is for kernels that compare
/// roots: each root adds 2u to the square.
constexpr double tolerance = 1e-6;

/// Whether point j is, within rounding, nearest to point i. `least` is the least squared distance.
/// All comparisons are false for a NaN.
inline bool is_nearest(const std::vector<float3>& points, int i, int j, double least) {
  if (least == infinity) return j == -1;
  if (j < 0 || j >= static_cast<int>(points.size()) || j == i) return false;
  return squared_distance(points[i], points[j]) <= least * (1 + tolerance);
}

}  // namespace tilelab::nearest

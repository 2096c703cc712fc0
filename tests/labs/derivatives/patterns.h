#pragma once

#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>
#include <vector>

#include "judge/checks/check.h"
#include "reference.h"

/// What wrong derivatives have in common. labs/derivatives/lab.toml has a hint for each id.
namespace derivatives {

using tilelab::judge::Differences;
using tilelab::judge::Pattern;
using tilelab::judge::WrongElements;

/// A wrong result, and what it should have been.
struct Evidence {
  const Problem& problem;
  const WrongElements<float>& elements;
  double tolerance;

  /// Whether `value` is what was computed. All elements are looked at, or many of millions.
  bool is_explained_by(const std::function<double(std::size_t)>& value) const {
    constexpr std::size_t enough = 300'000;
    const std::size_t step = elements.got.size() / enough | 1;
    for (std::size_t i = 0; i < elements.got.size(); i += step) {
      const double expected = value(i);
      if (!(std::abs(elements.got[i] - expected) <= 2 * tolerance * scale_of(expected, i)))
        return false;
    }
    return true;
  }

 private:
  // If a value is many times too large, so are its rounding errors.
  double scale_of(double value, std::size_t i) const {
    return std::max(1.0, std::abs(value) / std::max(std::abs(derivative_at(problem, i)), 1e-3));
  }
};

inline const char* index_of(Axis axis) {
  constexpr const char* names[] = {"i", "j", "k"};
  return names[static_cast<int>(axis)];
}

/// Joins its arguments to a sentence.
template <class... Parts>
std::string sentence(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  return text.str();
}

/// Whether `count` is all of `size`, except for the few where noise happens to be the right result.
inline bool is_nearly(std::size_t count, std::size_t size) { return count >= size - size / 100; }

/// If the elements are all those from some place of an axis on, and no others: the axis and the
/// place.
inline std::optional<std::pair<Axis, int>> find_slab(const Grid& grid,
                                                     const std::vector<std::size_t>& elements) {
  for (const Axis axis : {Axis::x, Axis::y, Axis::z}) {
    int first = grid.extent(axis);
    for (const std::size_t i : elements) first = std::min(first, grid.coordinate(i, axis));
    const std::size_t slab = grid.size() / grid.extent(axis) * (grid.extent(axis) - first);
    if (first > 0 && is_nearly(elements.size(), slab)) return std::pair(axis, first);
  }
  return std::nullopt;
}

/// Looks for right numbers in the wrong place, or numbers that are only wrong by a factor.
inline Pattern find_value_pattern(const Evidence& e) {
  const Problem& p = e.problem;
  const int m = p.grid.extent(p.axis);
  for (const Axis other : {Axis::x, Axis::y, Axis::z}) {
    if (other == p.axis) continue;
    const int period = p.grid.extent(other) - 1;
    if (e.is_explained_by([&](std::size_t i) { return derivative_at(p, other, i, period); })) {
      return {"other_axis", sentence("These are the derivatives along ", name_of(other), ".")};
    }
  }
  if (e.is_explained_by([&](std::size_t i) { return derivative_at(p, p.axis, i, m); })) {
    return {"period",
            sentence("The ends of the ", name_of(p.axis), " axis are joined with a period of m",
                     name_of(p.axis), " = ", m, " instead of ", m - 1, ".")};
  }
  const auto scaled_by = [&](double factor) {
    return e.is_explained_by([&](std::size_t i) { return factor * derivative_at(p, i); });
  };
  const double h = p.spacing;
  if (scaled_by(-1)) return {"sign", "All signs are wrong."};
  if (scaled_by(h)) return {"spacing_missing", "The differences are not divided by the spacing."};
  if (scaled_by(h * h)) {
    return {"spacing_multiplied", "The differences are multiplied by the spacing."};
  }
  const std::size_t first = e.elements.wrong.front();
  const double factor = e.elements.got[first] / derivative_at(p, first);
  if (factor == 0 && scaled_by(0)) return {"zeros", "All values are 0."};
  if (scaled_by(factor)) {
    return {"scaled", sentence("All values are ", factor, " times what they should be.")};
  }
  return {};
}

/// Looks for one wrong coefficient: then all errors are proportional to one difference.
inline Pattern find_coefficient_pattern(const Evidence& e) {
  const Problem& p = e.problem;
  const int period = p.grid.extent(p.axis) - 1;
  for (int d = 1; d <= halo; ++d) {
    const auto pair = [&](std::size_t i) {
      return difference(p.f, p.grid, p.axis, i, d, period) / p.spacing;
    };
    const auto& wrong = e.elements.wrong;
    const std::size_t largest = *std::max_element(
        wrong.begin(), wrong.end(),
        [&](std::size_t a, std::size_t b) { return std::abs(pair(a)) < std::abs(pair(b)); });
    const double excess = (e.elements.got[largest] - derivative_at(p, largest)) / pair(largest);
    if (e.is_explained_by([&](std::size_t i) { return derivative_at(p, i) + excess * pair(i); })) {
      const double wrong_one = coefficients[d - 1] + excess;
      return {"coefficient", sentence("The errors fit one wrong coefficient, that of the points ",
                                      d, " away: ", std::abs(wrong_one) < 1e-6 ? 0 : wrong_one,
                                      " instead of ", coefficients[d - 1], ".")};
    }
  }
  return {};
}

/// Looks at where along the axis the wrong elements lie.
inline Pattern find_place_pattern(const Problem& p, const Differences& differences) {
  const int m = p.grid.extent(p.axis);
  const auto all_within = [&](int tile) {
    return std::all_of(differences.wrong.begin(), differences.wrong.end(), [&](std::size_t i) {
      const int at = p.grid.coordinate(i, p.axis);
      return at % tile < halo || at % tile >= tile - halo || at >= m - halo;
    });
  };
  if (all_within(m)) {
    return {"ends", sentence("All wrong elements lie within 4 points of an end of the ",
                             name_of(p.axis), " axis.")};
  }
  for (int tile = 256; tile >= 16; tile /= 2) {
    if (m > tile && all_within(tile)) {
      return {"tile_edges", sentence("All wrong elements lie within 4 points of a multiple of ",
                                     tile, " along ", name_of(p.axis), ".")};
    }
  }
  if (const auto slab = find_slab(p.grid, differences.wrong)) {
    return {"last_tile", sentence("Exactly the elements with ", index_of(slab->first),
                                  " >= ", slab->second, " are wrong.")};
  }
  return {};
}

inline Pattern find_unwritten_pattern(const Grid& grid, const Differences& differences) {
  if (is_nearly(differences.unwritten.size(), differences.size)) {
    return {"never_written", "Nothing was written."};
  }
  const auto slab = find_slab(grid, differences.unwritten);
  if (!slab) return {};
  return {"slab_unwritten", sentence("No element with ", index_of(slab->first),
                                     " >= ", slab->second, " was written.")};
}

inline Pattern find_pattern(const Evidence& e) {
  if (!e.elements.unwritten.empty()) return find_unwritten_pattern(e.problem.grid, e.elements);
  Pattern pattern = find_value_pattern(e);
  if (pattern.id.empty()) pattern = find_coefficient_pattern(e);
  if (pattern.id.empty()) pattern = find_place_pattern(e.problem, e.elements);
  return pattern;
}

}  // namespace derivatives

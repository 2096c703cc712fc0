#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>
#include <vector>

#include "judge/checks/check.h"
#include "reference.h"

/// What wrong sums have in common. labs/reduction/lab.toml has a hint for each id. All of this is
/// about rows whose sums are exact, so that a sum of some of the elements can be told from others.
namespace tilelab::reference {

using judge::Pattern;

/// A row, and a wrong sum of it.
struct WrongSum {
  const Row& in;  ///< The row.
  double got;     ///< The sum.

  /// The sum of the elements that `counts(i)` chooses.
  template <class Counts>
  double sum_where(Counts counts) const {
    double sum = 0;
    for (std::size_t i = 0; i < in.size(); ++i) sum += counts(i) ? in[i] : 0.0f;
    return sum;
  }
};

/// Only the first elements were added, a multiple of 32 of them, or all but the last one.
inline Pattern find_missing_tail(const WrongSum& wrong) {
  const std::size_t n = wrong.in.size();
  double first = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const bool is_edge = i % 32 == 0 || i + 1 == n;
    if (is_edge && i > 0 && wrong.got == first) {
      const std::string rest =
          n - i == 1 ? "last one is" : "other " + std::to_string(n - i) + " are";
      return {"tail_missing", "This is the sum of the first " + std::to_string(i) +
                                  " elements: the " + rest + " missing."};
    }
    first += wrong.in[i];
  }
  return {};
}

/// Of each tile only a part was added. Tiles of 3, 6, 12 ... elements are halved down to 3, of
/// which two are added.
inline Pattern find_part_of_tiles(const WrongSum& wrong) {
  for (const std::size_t tile : {2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048}) {
    if (tile > wrong.in.size() + 1) break;
    for (std::size_t part = 1; part < tile; part *= 2) {
      if (wrong.got != wrong.sum_where([&](std::size_t i) { return i % tile < part; })) continue;
      const std::string which = part == 1 ? "first element" : "first " + std::to_string(part);
      return {"part_of_tiles", "This is the sum of only the " + which + " of each " +
                                   std::to_string(tile) + " elements."};
    }
  }
  return {};
}

/// All elements were added twice, or all that are not in the first or the last tile, if these are
/// most.
inline Pattern find_twice(const WrongSum& wrong, double right) {
  const std::size_t n = wrong.in.size();
  constexpr std::size_t largest = 1024;
  for (std::size_t tile = 0; tile <= std::min(largest, n / 2); tile = tile == 0 ? 32 : 2 * tile) {
    const double twice = wrong.sum_where([&](std::size_t i) { return i >= tile; });
    const double until = wrong.sum_where([&](std::size_t i) { return i + tile < n; });
    if (wrong.got == right + twice || wrong.got == right + until) {
      return {"added_twice", "Most elements were added twice."};
    }
  }
  return {};
}

/// Fractions were lost.
inline Pattern find_truncated(const WrongSum& wrong) {
  const double whole = sum_of(wrong.in, [](float x) { return std::trunc(double(x)); });
  if (wrong.got != whole) return {};
  return {"truncated", "This is the sum of the elements without their fractions."};
}

inline Pattern find_pattern(const Row& in, double got) {
  const WrongSum wrong{in, got};
  const double right = sum(in);
  if (std::isnan(got)) {
    return {
        "not_a_number",
        "A NaN was added that is not in the input: from a slot of the tile that no thread filled?"};
  }
  if (Pattern found = find_part_of_tiles(wrong); !found.id.empty()) return found;
  if (Pattern found = find_missing_tail(wrong); !found.id.empty()) return found;
  if (Pattern found = find_twice(wrong, right); !found.id.empty()) return found;
  if (Pattern found = find_truncated(wrong); !found.id.empty()) return found;
  if (!in.empty() && got == right - in.front()) {
    return {"first_missing", "Only in[0] is missing."};
  }
  return {};
}

}  // namespace tilelab::reference

#pragma once

#include <algorithm>
#include <functional>
#include <span>
#include <vector>

#include "judge/checks/differences.h"
#include "judge/values/values.h"
#include "reference.h"

/// What wrong answers of this lab have in common. lab.toml has a hint for each id.
namespace tilelab::nearest {

using judge::Pattern;
using judge::show;

/// The wrong answers of one run.
struct Failures {
  const std::vector<float3>& points;
  const Neighbors& expected;
  std::span<const int> got;
  const std::vector<std::size_t>& where;

  bool all(const std::function<bool(int i, int got, int expected)>& holds) const {
    return std::all_of(where.begin(), where.end(), [&](std::size_t i) {
      return holds(static_cast<int>(i), got[i], expected.index[i]);
    });
  }
  bool exists(int j) const { return 0 <= j && j < static_cast<int>(points.size()); }
  double distance(int i, int j) const { return squared_distance(points[i], points[j]); }
};

inline Pattern none_pattern(const Failures& f) {
  if (f.all([](int, int, int expected) { return expected == -1; })) {
    return {"none_forgotten",
            "These points have no other point at a finite distance: the answer is -1."};
  }
  if (f.all([](int, int got, int) { return got == -1; })) {
    return {"none_found",
            "The answer is -1 where there is a neighbor: did no distance seem small enough?"};
  }
  return {};
}

inline Pattern bounds_pattern(const Failures& f) {
  for (const std::size_t i : f.where) {
    if (f.got[i] == -1 || f.exists(f.got[i])) continue;
    return {"index_past_end", "Point " + show(i) + " got the neighbor " + show(f.got[i]) +
                                  ", but there are only " + show(f.points.size()) + " points."};
  }
  return {};
}

/// The answer is a slot of the tile instead of a point's index.
inline Pattern slot_pattern(const Failures& f) {
  // No slot lies beyond the tile, in right answers either.
  const int last = *std::max_element(f.got.begin(), f.got.end());
  for (int size = 1024; size >= 32 && last < size; size /= 2) {
    if (!f.all([&](int, int got, int expected) { return got == expected % size; })) continue;
    return {"slot_for_index", "Each wrong answer is the right one minus a multiple of " +
                                  show(size) +
                                  ": a slot in the tile, where the index of the point should be."};
  }
  return {};
}

/// The kernel leaves out the thread's own slot in every tile, not only in its own.
inline Pattern own_slot_pattern(const Failures& f) {
  if (f.where.size() < 2) return {};
  for (int size = 1024; size >= 32; size /= 2) {
    if (!f.all([&](int i, int, int expected) { return expected % size == i % size; })) continue;
    return {"own_slot", "Each neighbor that was missed is a multiple of " + show(size) +
                            " away in the array: it lies in the same slot of its tile as the point "
                            "in its own."};
  }
  return {};
}

/// Each point that the search meets takes the place of the one before.
inline Pattern last_point_pattern(const Failures& f) {
  const int n = static_cast<int>(f.got.size());
  if (n < 3 || !f.all([&](int i, int got, int) { return got == (i == n - 1 ? n - 2 : n - 1); })) {
    return {};
  }
  return {"last_point",
          "Each wrong answer is the last point, as if every one were nearer than those "
          "before it."};
}

/// The kernel only finds points from some index on.
inline Pattern last_tile_pattern(const Failures& f) {
  const int first = *std::min_element(f.got.begin(), f.got.end());
  if (f.got.size() < 64 || first < static_cast<int>(f.got.size()) / 2) return {};
  return {"last_tile_only", "No point before " + show(first) +
                                " was found as a neighbor, as if only the last tile counted."};
}

/// The kernel never finds points from some index on.
inline Pattern missed_pattern(const Failures& f) {
  const int n = static_cast<int>(f.points.size());
  int first = n;
  for (const std::size_t i : f.where) first = std::min(first, f.expected.index[i]);
  if (std::any_of(f.got.begin(), f.got.end(), [&](int j) { return j >= first; })) return {};
  return {"points_missed", "No point from " + show(first) +
                               " on was found as a neighbor, as if the search stopped before it."};
}

inline Pattern last_block_pattern(const Failures& f) {
  const int n = static_cast<int>(f.points.size());
  for (int size = 32; size <= 1024; size *= 2) {
    const int begin = n / size * size;
    if (begin == 0 || static_cast<int>(f.where.front()) < begin) continue;
    // A few wrong answers may lie there by chance.
    if (static_cast<int>(8 * f.where.size()) < n - begin) continue;
    return {"last_block", "Only points from " + show(begin) +
                              " on are wrong: those of the block that has more threads than points "
                              "left."};
  }
  return {};
}

inline Pattern finite_pattern(const Failures& f) {
  for (const std::size_t i : f.where) {
    const int own = static_cast<int>(i), got = f.got[i];
    if (!f.exists(got) || f.distance(own, got) < infinity) continue;
    return {"not_finite", "Point " + show(got) + " is at no finite distance to point " + show(own) +
                              ": it cannot be its neighbor."};
  }
  return {};
}

inline Pattern own_index_pattern(const Failures& f) {
  for (const std::size_t i : f.where) {
    if (f.got[i] != static_cast<int>(i)) continue;
    return {"own_index", "Point " + show(i) +
                             " got itself for a neighbor: the answer is the nearest other "
                             "point."};
  }
  return {};
}

inline Pattern tie_pattern(const Failures& f) {
  const auto tied = [&](int i, int got, int expected) {
    return f.exists(got) && expected != -1 && f.distance(i, got) == f.distance(i, expected);
  };
  if (!f.all(tied)) return {};
  return {"tie",
          "These answers are as near as the expected ones, but of equally near points the "
          "one with the lowest index counts."};
}

inline Pattern distance_pattern(const Failures& f) {
  const int i = static_cast<int>(f.where.front());
  const int got = f.got[i], expected = f.expected.index[i];
  if (!f.exists(got) || !f.exists(expected)) return {};
  return {"not_nearest", "The squared distance from point " + show(i) + " to point " + show(got) +
                             " is " + show(static_cast<float>(f.distance(i, got))) +
                             ", but to point " + show(expected) + " it is " +
                             show(static_cast<float>(f.distance(i, expected))) + "."};
}

/// The first pattern that fits. Those that say most are tried first.
inline Pattern find_pattern(const Failures& f) {
  for (const auto& look :
       {none_pattern, finite_pattern, bounds_pattern, slot_pattern, own_index_pattern, tie_pattern,
        own_slot_pattern, last_point_pattern, last_tile_pattern, missed_pattern, last_block_pattern,
        distance_pattern}) {
    if (const Pattern found = look(f); !found.id.empty()) return found;
  }
  return {};
}

}  // namespace tilelab::nearest

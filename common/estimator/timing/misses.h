#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace tilelab::estimator {

/// How much of an array DRAM has to deliver or to take, of the sectors that a block touches for the
/// first time. The rest was in the L2 cache for another block, or since the launch before.
struct Moved {
  double share = 1;         ///< The share of the sectors that no earlier block touches.
  double shared_share = 1;  ///< The share of the others.
  double density = 1;       ///< How much of each 256 bytes that are touched at all is touched.
};

/// What has to come from DRAM to an array, and to go there.
struct ArrayMisses {
  std::uint64_t first_line = 0;  ///< The array's first line of 128 bytes.
  std::uint64_t end_line = 0;    ///< The line after its last.
  double stored_lines = 1;       ///< To how many lines the launch stores, atomically or not.
  Moved loads;
  Moved stores;
};

/// That of all arrays. What lies in none always misses.
struct Misses {
  std::vector<ArrayMisses> arrays;
  bool are_random = false;  ///< Whether data say which sectors of an array are loaded.

  const ArrayMisses& at(std::uint64_t line) const {
    static const ArrayMisses unknown;
    const auto found = std::ranges::find_if(arrays, [line](const ArrayMisses& it) {
      return line >= it.first_line && line < it.end_line;
    });
    return found == arrays.end() ? unknown : *found;
  }
};

}  // namespace tilelab::estimator

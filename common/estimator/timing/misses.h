#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace tilelab::estimator {

/// How much of an array has to come from DRAM, of the sectors that a block touches for the first
/// time. What does not was brought to the L2 cache for another block, or by the launch before.
struct ArrayMisses {
  std::uint64_t first_line = 0;  ///< The array's first line of 128 bytes.
  std::uint64_t end_line = 0;    ///< The line after its last.
  double share = 1;              ///< The share of the sectors that no earlier block touches.
  double shared_share = 1;       ///< The share of the others.
  std::uint64_t bytes = 0;       ///< The array's size.
};

/// That of all arrays. What lies in none always misses.
struct Misses {
  std::vector<ArrayMisses> arrays;

  /// The share of sectors of a line that miss.
  /// @param is_shared  whether an earlier block touches the line too
  double of(std::uint64_t line, bool is_shared) const {
    const auto found = at(line);
    if (found == arrays.end()) return 1;
    return is_shared ? found->shared_share : found->share;
  }

  /// The size of the array that a line is in.
  std::uint64_t bytes_at(std::uint64_t line) const {
    const auto found = at(line);
    return found == arrays.end() ? std::numeric_limits<std::uint64_t>::max() : found->bytes;
  }

 private:
  std::vector<ArrayMisses>::const_iterator at(std::uint64_t line) const {
    return std::ranges::find_if(arrays, [line](const ArrayMisses& it) {
      return line >= it.first_line && line < it.end_line;
    });
  }
};

}  // namespace tilelab::estimator

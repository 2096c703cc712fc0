#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "judge/checks/check.h"
#include "reference.h"

/// What wrong sums have in common. labs/scan/lab.toml has a hint for each id. The elements are
/// random numbers of 32 bits, so none of this is likely to hold by chance.
namespace tilelab::reference {

using judge::Pattern;
using WrongSums = judge::WrongElements<std::uint32_t>;

/// Wrong sums, and the row that they are of.
struct WrongScan {
  const Row& in;          ///< The row.
  const WrongSums& sums;  ///< What was made of it.

  /// The sum of all elements before element i.
  std::uint32_t before(std::size_t i) const { return i > 0 ? sums.expected[i - 1] : 0; }

  /// The sum of the elements [begin, end), where `end` may be beyond the row.
  std::uint32_t between(std::size_t begin, std::size_t end) const {
    return before(std::min(end, in.size())) - before(begin);
  }

  /// Whether each wrong element i is `right(i)` instead.
  template <class Right>
  bool all(Right right) const {
    return sums.all(
        [&](std::size_t i, std::uint32_t got, std::uint32_t) { return got == right(i); });
  }
};

/// Each sum lacks its own element.
inline Pattern find_exclusive(const WrongScan& wrong) {
  if (!wrong.all([&](std::size_t i) { return wrong.before(i); })) return {};
  return {"exclusive",
          "Each wrong element is the sum of all elements before it, without the element itself."};
}

/// In the first warp, each sum but the first lacks the first element. What later ones hold depends
/// on how the sum of a tile is found.
inline Pattern find_first_left_out(const WrongScan& wrong) {
  constexpr std::size_t warp = 32;
  if (wrong.sums.wrong.front() != 1) return {};
  const auto lacks_first = [&](std::size_t i, std::uint32_t got, std::uint32_t expected) {
    return i >= warp || got == expected - wrong.in[0];
  };
  if (!wrong.sums.all(lacks_first)) return {};
  return {"first_left_out",
          "In the first 32 elements, each wrong one lacks the first element of the row."};
}

/// Each sum has only the elements since the beginning of its tile.
inline Pattern find_new_beginning(const WrongScan& wrong, std::size_t tile) {
  if (!wrong.all([&](std::size_t i) { return wrong.between(i / tile * tile, i + 1); })) return {};
  return {"begins_anew", "Each wrong element is the sum since the beginning of its tile of " +
                             std::to_string(tile) + " elements: what comes before is missing."};
}

/// In the first tile, each sum has only the elements since the beginning of its warp. What later
/// tiles hold depends on how the sum of a tile is found.
inline Pattern find_new_warp(const WrongScan& wrong) {
  constexpr std::size_t warp = 32, tile = 256;
  if (wrong.sums.wrong.front() != warp) return {};
  const auto is_new = [&](std::size_t i, std::uint32_t got, std::uint32_t) {
    return i >= tile || got == wrong.between(i / warp * warp, i + 1);
  };
  if (!wrong.sums.all(is_new)) return {};
  return {
      "warp_begins_anew",
      "In the first 256 elements, each wrong one is the sum since the beginning of its warp of 32 "
      "elements: the warps before it are missing."};
}

/// Each sum has only the elements of its tile and of the one before.
inline Pattern find_one_tile_back(const WrongScan& wrong, std::size_t tile) {
  const auto begin = [&](std::size_t i) { return (std::max(i / tile, std::size_t{1}) - 1) * tile; };
  if (!wrong.all([&](std::size_t i) { return wrong.between(begin(i), i + 1); })) return {};
  return {"one_tile_back", "Each wrong element has only the sum of the tile before its own, of " +
                               std::to_string(tile) +
                               " elements: the tiles before that are missing."};
}

/// Each sum has all of its own tile in addition.
inline Pattern find_own_tile(const WrongScan& wrong, std::size_t tile) {
  const auto sum = [&](std::size_t i) {
    const std::size_t begin = i / tile * tile;
    return wrong.sums.expected[i] + wrong.between(begin, begin + tile);
  };
  if (!wrong.all(sum)) return {};
  return {"own_tile_added", "Each wrong element also contains the sum of its own tile of " +
                                std::to_string(tile) + " elements."};
}

/// The last element of each earlier tile is missing.
inline Pattern find_last_left_out(const WrongScan& wrong, std::size_t tile) {
  std::vector<std::uint32_t> lasts(wrong.in.size() / tile + 1);  // those of the tiles before
  for (std::size_t k = 1; k < lasts.size(); ++k) {
    lasts[k] = lasts[k - 1] + wrong.in[k * tile - 1];
  }
  if (!wrong.all([&](std::size_t i) { return wrong.sums.expected[i] - lasts[i / tile]; }))
    return {};
  return {"last_left_out", "In each wrong element the last one of each earlier tile of " +
                               std::to_string(tile) + " elements is missing."};
}

/// In the first tile, each sum has only the last elements up to it. That is half a tile. A tile of
/// two has one wrong element, which may be wrong for any reason.
inline Pattern find_short_window(const WrongScan& wrong, std::size_t length) {
  if (length < 2 || wrong.sums.wrong.front() != length) return {};
  const auto is_short = [&](std::size_t i, std::uint32_t got, std::uint32_t) {
    return i >= 2 * length || got == wrong.between(i + 1 - length, i + 1);
  };
  if (!wrong.sums.all(is_short)) return {};
  return {"short_window", "In the first tile, each wrong element is the sum of only the last " +
                              std::to_string(length) + " elements up to it."};
}

/// The first wrong tile has a sum of whole tiles, which is in it already, once more.
inline Pattern find_counted_twice(const WrongScan& wrong, std::size_t tile) {
  const std::size_t first = wrong.sums.wrong.front();
  const std::uint32_t extra = wrong.sums.got[first] - wrong.sums.expected[first];
  for (std::size_t end = tile; end <= first; end += tile) {
    if (extra != wrong.sums.expected[end - 1]) continue;
    return {"counted_twice", "The first wrong element has the sum of the first " +
                                 std::to_string(end) + " elements in it twice."};
  }
  return {};
}

/// Looks for all of these.
inline Pattern find_pattern(const Row& in, const WrongSums& sums) {
  if (!sums.unwritten.empty()) return {};
  const WrongScan wrong{in, sums};
  if (Pattern found = find_exclusive(wrong); !found.id.empty()) return found;
  if (Pattern found = find_first_left_out(wrong); !found.id.empty()) return found;
  if (Pattern found = find_new_warp(wrong); !found.id.empty()) return found;
  constexpr std::size_t warp = 32, longest = 16'384;
  // A tile that is longer than the row may as well be shorter.
  const std::size_t first = std::clamp(2 * std::bit_floor(in.size()), warp, longest);
  for (std::size_t tile = first; tile > 0; tile /= 2) {
    for (const auto find : {find_new_beginning, find_one_tile_back, find_own_tile,
                            find_last_left_out, find_short_window, find_counted_twice}) {
      if (Pattern found = find(wrong, tile); !found.id.empty()) return found;
    }
  }
  return {};
}

}  // namespace tilelab::reference

#pragma once

#include <algorithm>
#include <cmath>
#include <string>

#include "judge/checks/check.h"
#include "reference.h"

/// What wrong results of a filter have in common. labs/pipeline/lab.toml has a hint for each id.
namespace tilelab::reference {

using Elements = judge::WrongElements<float>;
using judge::Pattern;

/// Whether a wrong result is the right one of the same place in another tile.
inline bool is_of_another_tile(const Signal& signal, float got, std::size_t i, std::size_t size) {
  constexpr std::size_t most_tiles = 8;
  const std::size_t begin = i > most_tiles * size ? i - most_tiles * size : i % size;
  for (std::size_t k = begin; k < signal.results() && k <= i + most_tiles * size; k += size) {
    if (k == i) continue;
    if (std::abs(got - filtered_at(signal, k)) <= tolerance(signal.weights)) return true;
  }
  return false;
}

/// The results are those of other tiles: the wrong slot was read, or the right one too early.
inline Pattern find_other_tile(const Signal& signal, const Elements& elements) {
  constexpr std::size_t enough = 3000;
  const std::size_t step = elements.wrong.size() / enough + 1;
  for (const std::size_t size : {4096, 2048, 1024, 512, 256}) {
    bool are_all = true;
    for (std::size_t k = 0; k < elements.wrong.size() && are_all; k += step) {
      const std::size_t i = elements.wrong[k];
      are_all = is_of_another_tile(signal, elements.got[i], i, size);
    }
    if (are_all) {
      return {"another_tile", "Each wrong result is the right one of a place " +
                                  std::to_string(size) +
                                  " or a multiple of that away: it was made from another tile."};
    }
  }
  return {};
}

/// Only results next to the end of a tile are wrong: those that need the next tile's first numbers.
inline Pattern find_halo(const Elements& elements) {
  for (const std::size_t size : {4096, 2048, 1024, 512, 256, 128}) {
    const auto is_at_end = [&](std::size_t i) { return i % size + taps > size; };
    if (std::all_of(elements.wrong.begin(), elements.wrong.end(), is_at_end)) {
      return {"halo_missing", "Wrong are only results among the last 32 of each " +
                                  std::to_string(size) +
                                  ": they need numbers beyond the tile's results."};
    }
  }
  return {};
}

inline Pattern find_pattern(const Signal& signal, const Elements& elements) {
  if (!elements.unwritten.empty()) return {};
  if (Pattern found = find_other_tile(signal, elements); !found.id.empty()) return found;
  return elements.size > 2 * 1024 ? find_halo(elements) : Pattern{};
}

}  // namespace tilelab::reference

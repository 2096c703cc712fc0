#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

#include "judge/checks/check.h"
#include "reference.h"

/// What wrong results of a filter have in common. labs/pipeline/lab.toml has a hint for each id.
namespace tilelab::reference {

using Elements = judge::WrongElements<float>;
using judge::Pattern;

/// A result that a mistake makes in the place of result i; NaN if it cannot make one.
using Mistaken = std::function<double(std::size_t i)>;

/// Whether all wrong elements that were written are what a mistake makes.
inline bool are_made_by(const Mistaken& mistaken, const Signal& signal, const Elements& elements) {
  std::size_t written = 0;
  for (const std::size_t i : elements.wrong) {
    if (std::binary_search(elements.unwritten.begin(), elements.unwritten.end(), i)) continue;
    ++written;
    if (!(std::abs(elements.got[i] - mistaken(i)) <= tolerance(signal.weights))) return false;
  }
  return written > 0;
}

/// The results are those of another tile: the wrong slot was read, or the right one too early.
inline Pattern find_shift(const Signal& signal, const Elements& elements) {
  for (const std::ptrdiff_t size : {1024, 512, 2048, 256, 4096, 128}) {
    for (const std::ptrdiff_t tiles : {1, 2, 3, -1, -2, -3}) {
      const std::ptrdiff_t shift = tiles * size;
      const auto shifted = [&](std::size_t i) {
        const std::ptrdiff_t from = static_cast<std::ptrdiff_t>(i) - shift;
        const bool is_one = from >= 0 && from < static_cast<std::ptrdiff_t>(elements.size);
        return is_one ? filtered_at(signal, static_cast<std::size_t>(from)) : std::nan("");
      };
      if (are_made_by(shifted, signal, elements)) {
        return {"another_tile", "Each wrong result is the right one of the place " +
                                    std::to_string(std::abs(shift)) +
                                    (shift > 0 ? " before it" : " after it") +
                                    ": it was made from another tile."};
      }
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
  const auto reversed = [&](std::size_t i) {
    double sum = 0;
    for (std::size_t k = 0; k < taps; ++k) {
      sum += double{signal.weights.of[taps - 1 - k]} * signal.in[i + k];
    }
    return sum;
  };
  if (are_made_by(reversed, signal, elements)) {
    return {"reversed", "Each wrong result is what the weights give in reverse order."};
  }
  if (Pattern found = find_shift(signal, elements); !found.id.empty()) return found;
  return elements.size > 2 * 1024 ? find_halo(elements) : Pattern{};
}

}  // namespace tilelab::reference

#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "judge/checks/check.h"
#include "reference.h"

/// What wrong histograms have in common. labs/histogram/lab.toml has a hint for each id.
namespace tilelab::reference {

using Elements = judge::WrongElements<unsigned>;
using judge::Pattern;

/// What a call added to the counts, and to which.
struct Added {
  Counts counts;        ///< By value of the byte; as if a count that shrank had wrapped.
  std::size_t sum = 0;  ///< Of all counts.

  Added(const Counts& before, const Elements& elements) : counts(byte_values) {
    for (std::size_t v = 0; v < byte_values; ++v) {
      counts[v] = elements.got[v] - before[v];
      sum += counts[v];
    }
  }

  /// Whether holds(added, expected) is true for each count.
  template <class Holds>
  bool all(const Counts& expected, Holds holds) const {
    return std::equal(counts.begin(), counts.end(), expected.begin(), holds);
  }
};

/// What was added is more than the bytes.
inline Pattern find_surplus(const Bytes& in, const Added& added) {
  const Counts expected = counts_of(in);
  const std::size_t times = added.sum / in.size();
  if (added.all(expected, [=](auto got, auto wanted) { return got == times * wanted; })) {
    return {"counted_twice", "Each byte was counted " + std::to_string(times) + " times."};
  }
  const std::size_t more = added.sum - in.size();
  Counts padded = expected;
  padded[0] += static_cast<unsigned>(more);
  if (more < 64 && added.counts == padded) {
    return {"tail_padded", "Bytes of value 0 were counted that are not there: " +
                               std::to_string(more) + ", as if the last load were full."};
  }
  // What a slot held by chance is far more than the bytes.
  if (added.sum > 1024 * in.size()) {
    return {"bins_not_empty",
            "The counts grew by far more than the number of bytes: bins were added that nobody had "
            "set to 0."};
  }
  return {"counted_twice", "The counts together grew by " + std::to_string(added.sum) +
                               ", but there are " + std::to_string(in.size()) +
                               " bytes: some were counted more than once."};
}

/// Only a part of the bytes was counted: the first ones, or every n-th.
inline Pattern find_part(const Bytes& in, const Added& added) {
  const std::size_t missing = in.size() - added.sum;
  if (added.counts == counts_of(in, 0, added.sum)) {
    if (missing < 64) {
      return {"tail_lost",
              "The last bytes were not counted: " + std::to_string(missing) + " of them."};
    }
    return {"rest_lost", "Only the first " + std::to_string(added.sum) +
                             " bytes were counted, the other " + std::to_string(missing) +
                             " were not."};
  }
  for (const std::size_t step : {2, 4, 8, 16}) {
    if (added.counts == counts_of(in, 0, in.size(), step)) {
      return {"some_lost",
              "Only bytes were counted whose index is a multiple of " + std::to_string(step) + "."};
    }
  }
  return {};
}

/// Counts are too small by a multiple of what a bin of 8 or 16 bits can hold. What carried over
/// may have gone into another bin.
inline Pattern find_overflow(const Added& added, const Counts& expected) {
  for (const unsigned width : {1u << 16, 1u << 8}) {
    bool has_less = false, is_multiple = true;
    for (std::size_t v = 0; v < byte_values; ++v) {
      if (added.counts[v] >= expected[v]) continue;
      has_less = true;
      is_multiple = is_multiple && (expected[v] - added.counts[v]) % width == 0;
    }
    if (has_less && is_multiple) {
      return {"bins_too_narrow", "A multiple of " + std::to_string(width) +
                                     " is missing from each count that is too small, as if bins "
                                     "had overflowed."};
    }
  }
  return {};
}

/// All bins from one on are as they were, and those before it are right.
inline Pattern find_bins(const Added& added, const Counts& expected) {
  std::size_t first = 0, right = 0, missing = 0;
  while (first < byte_values && added.counts[first] == expected[first]) ++first;
  for (std::size_t v = 0; v < byte_values; ++v) {
    if (v >= first && added.counts[v] > 0) return {};
    if (expected[v] > 0) ++(v < first ? right : missing);
  }
  if (right < 2 || missing < 2) return {};
  return {"bins_left_out", "The counts before that of " + std::to_string(first) +
                               " are right, and none has grown from there on: bins are missing."};
}

inline Pattern find_pattern(const Bytes& in, const Counts& before, const Elements& elements) {
  const Counts expected = counts_of(in);
  const auto is_overwritten = [&](std::size_t i, unsigned got, unsigned) {
    return got == expected[i];
  };
  if (elements.all(is_overwritten) && elements.wrong.size() > 1) {
    return {"overwritten",
            "Each wrong count is the one of these bytes alone: it replaced what `counts` held "
            "before the call."};
  }
  const Added added(before, elements);
  if (in.empty()) return {};
  if (added.sum == 0) return {"never_written", "No count has changed."};
  if (added.sum > in.size()) return find_surplus(in, added);
  if (Pattern found = find_part(in, added); !found.id.empty()) return found;
  if (Pattern found = find_overflow(added, expected); !found.id.empty()) return found;
  if (added.sum == in.size()) {
    return {"wrong_bin", "All bytes were counted, but some of them as other values."};
  }
  if (Pattern found = find_bins(added, expected); !found.id.empty()) return found;
  if (added.all(expected, [](auto got, auto wanted) { return got <= wanted; })) {
    return {"lost", "The counts together grew by " + std::to_string(added.sum) +
                        ", but there are " + std::to_string(in.size()) +
                        " bytes: some are missing."};
  }
  return {};
}

}  // namespace tilelab::reference

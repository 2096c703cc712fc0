#pragma once

#include <vector>

#include "judge/calls/look.h"

namespace tilelab {

/// The sizes at which a test of memory behavior looks at a few blocks of a call. What a submission
/// does where its time is measured, it should do here.
struct LargerSizes {
  int usual;      ///< The test calls with this number, or about so much, whatever the text says.
  int most;       ///< A call with this number takes two seconds, or so.
  int power = 1;  ///< A call with twice the number takes 2^power times as long.
  /// If a call with the usual number takes more than 100 ms, or so, there should be none. Then only
  /// constants beyond that number lead to larger sizes.
  bool is_quick = true;
  int multiple = 1;  ///< The larger sizes are multiples of this number.
};

/// Draws a number of about the usual one if that is quick, and one above the constants in the
/// submission's text if there are any beyond.
std::vector<int> draw_larger_numbers(const LargerSizes& larger);

/// A size, and how closely to look at a call with it.
struct ObservedSize {
  int number;
  Look look;
};

/// Draws a size from a range that includes both ends and counts in a unit, and then larger ones:
/// Catch2 runs the test once for each of them.
ObservedSize draw_observed_size(int least, int most, const LargerSizes& larger, int unit = 1);

}  // namespace tilelab

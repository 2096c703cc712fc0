#pragma once

#include <vector>

namespace tilelab::judge {

/// Of at least one value; the upper of the two in the middle where they are two.
double median(std::vector<double> values);

/// A median, and where it would lie in 95 of 100 repetitions.
struct Interval {
  double value = 0;  ///< the median
  double low = 0;    ///< 2.5% of the resampled medians lie below
  double high = 0;   ///< 2.5% of them lie above

  /// Half the interval's length, as a share of the median.
  double half_width() const { return (high - low) / 2 / value; }
};

/// By bootstrap: medians of samples drawn with replacement (Efron, "Bootstrap methods", 1979). The
/// same values always give the same interval.
Interval median_interval(const std::vector<double>& values);

}  // namespace tilelab::judge

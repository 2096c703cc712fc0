#pragma once

#include <vector>

namespace tilelab::judge {

/// The median of at least one value. For an even number of values it is the upper of the two in the
/// middle.
double median(std::vector<double> values);

/// A median, and where it would lie in 95 of 100 repetitions.
struct Interval {
  double value = 0;  ///< The median itself.
  double low = 0;    ///< 2.5% of the resampled medians lie below this value.
  double high = 0;   ///< 2.5% of the resampled medians lie above this value.

  /// Half the interval's length, as a share of the median.
  double half_width() const { return (high - low) / 2 / value; }
};

/// The median's interval by bootstrap: it takes medians of samples drawn with replacement (Efron,
/// "Bootstrap methods", 1979). The same values always give the same interval.
Interval median_interval(const std::vector<double>& values);

}  // namespace tilelab::judge

#include "judge/speed/statistics.h"

#include <algorithm>
#include <random>

namespace tilelab::judge {

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

Interval median_interval(const std::vector<double>& values) {
  constexpr std::size_t resamples = 2000, tail = resamples / 40;
  std::mt19937 engine(static_cast<std::mt19937::result_type>(values.size()));
  std::uniform_int_distribution<std::size_t> pick(0, values.size() - 1);
  std::vector<double> medians(resamples), drawn(values.size());
  for (double& one : medians) {
    for (double& value : drawn) value = values[pick(engine)];
    one = median(drawn);
  }
  std::sort(medians.begin(), medians.end());
  return {median(values), medians[tail], medians[resamples - 1 - tail]};
}

}  // namespace tilelab::judge

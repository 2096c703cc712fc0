#include "judge/sizes/constants.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "judge/options.h"

namespace tilelab::judge {

int above_products(double limit) {
  const std::vector<std::uint64_t>& constants = options().constants;
  int largest = 0;
  for (const std::uint64_t count : constants) {
    const double tiles = double(count) + 1, longest_tile = (limit - 2) / tiles;
    const auto beyond = std::partition_point(
        constants.begin(), constants.end(),
        [longest_tile](std::uint64_t size) { return double(size) <= longest_tile; });
    if (beyond == constants.begin()) continue;
    largest = std::max(largest, static_cast<int>(tiles * double(*std::prev(beyond)) + 2));
  }
  return largest;
}

}  // namespace tilelab::judge

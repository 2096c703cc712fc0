#include "judge/sizes/constants.h"

#include <algorithm>

#include "judge/options.h"

namespace tilelab::judge {

int above_products(double limit) {
  int largest = 0;
  for (const std::uint64_t count : options().constants) {
    for (const std::uint64_t size : options().constants) {
      const double number = (double(count) + 1) * double(size) + 2;
      if (number <= limit) largest = std::max(largest, static_cast<int>(number));
    }
  }
  return largest;
}

}  // namespace tilelab::judge

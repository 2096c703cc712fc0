#include "judge/sizes/observed_sizes.h"

#include <algorithm>
#include <cmath>

#include "judge/calls/random.h"
#include "judge/options.h"
#include "judge/sizes/constants.h"

namespace tilelab {
namespace {

// A call above a product of constants may take this many times as long as one with the usual
// number.
constexpr double product_cost = 2;
// The reference solution's figures at a number are good for one that is so much larger.
constexpr int parts = 50;

/// The largest number just above a constant or a product of them, or 0 if there is none.
int above_constants(const LargerSizes& larger) {
  int largest = judge::above_products(larger.usual * std::pow(product_cost, 1.0 / larger.power));
  for (const std::uint64_t constant : judge::options().constants) {
    const bool is_in_reach = constant < static_cast<std::uint64_t>(larger.most) - 1;
    if (is_in_reach) largest = std::max(largest, judge::above(constant));
  }
  return largest;
}

/// The larger sizes, not yet multiples of anything.
std::vector<int> draw_any_larger(const LargerSizes& larger) {
  const int range = larger.usual / parts;
  std::vector<int> numbers;
  // `publish` measures the reference solution at one of them.
  if (judge::options().sizes_per_draw > 0) {
    if (larger.is_quick) numbers.push_back(larger.usual + range / 2);
    return numbers;
  }
  if (larger.is_quick) numbers.push_back(draw_size(larger.usual, larger.usual + range));
  const int beyond = above_constants(larger);
  if (beyond > larger.usual + range) {
    numbers.push_back(draw_size(beyond, std::min(beyond + range, larger.most)));
  }
  return numbers;
}

}  // namespace

std::vector<int> draw_larger_numbers(const LargerSizes& larger) {
  std::vector<int> numbers = draw_any_larger(larger);
  for (int& number : numbers) {
    number = (number + larger.multiple - 1) / larger.multiple * larger.multiple;
  }
  return numbers;
}

ObservedSize draw_observed_size(int least, int most, const LargerSizes& larger, int unit) {
  std::vector<int> numbers = judge::sizes_in(least, most);
  for (int& number : numbers) number *= unit;
  for (const int number : draw_larger_numbers(larger)) numbers.push_back(number);
  const int number = judge::each_of(numbers);
  return {number, number > most * unit ? Look::some_blocks : Look::all_blocks};
}

}  // namespace tilelab

#include "judge/checks/sizes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "judge/calls/random.h"
#include "judge/options.h"

namespace tilelab::judge {
namespace {

// A call at a constant may take so many times as long as one with the largest number of its shape.
constexpr double stretch = 16;
// All calls at constants together take no longer than so many with the largest number. Few
// submissions have a constant above it.
constexpr double small_calls = 0.5, large_calls = 24;
// A call with a small number takes time, too.
constexpr std::size_t most_calls = 8;

/// How long a call takes, in parts of that with the largest number.
double cost_of(double number, const NumberRange& range) {
  return std::pow(number / range.most, range.power);
}

/// Draws a number whose size, not its value, is uniform.
int any_number(int most, Random& random) {
  return static_cast<int>(std::pow(most, random.real(0, 1)));
}

/// Puts numbers in a random order, in which large ones tend to come first: other tests call with
/// many small sizes.
void shuffle(std::vector<DrawnNumber>& numbers, Random& random) {
  std::vector<std::pair<double, DrawnNumber>> keyed;
  for (const DrawnNumber& one : numbers) {
    keyed.emplace_back(std::log(random.real(0, 1)) / std::sqrt(one.number), one);
  }
  std::sort(keyed.begin(), keyed.end(), [](auto& a, auto& b) { return a.first > b.first; });
  std::transform(keyed.begin(), keyed.end(), numbers.begin(), [](auto& one) { return one.second; });
}

/// The numbers around each constant. Above the largest number, one has to be enough.
std::vector<DrawnNumber> around_constants(const std::vector<NumberRange>& ranges) {
  std::vector<DrawnNumber> numbers;
  for (const std::uint64_t constant : options().constants) {
    for (std::size_t shape = 0; shape < ranges.size(); ++shape) {
      const double cost = cost_of(double(constant), ranges[shape]);
      if (cost >= stretch) continue;
      const int above = static_cast<int>(constant) + 1;
      numbers.push_back({shape, above});
      if (cost > 1) continue;
      numbers.push_back({shape, above - 1});
      if (above > 2) numbers.push_back({shape, above - 2});
    }
  }
  return numbers;
}

std::vector<DrawnNumber> draw_around_constants(const std::vector<NumberRange>& ranges,
                                               Random& random) {
  std::vector<DrawnNumber> numbers = around_constants(ranges);
  shuffle(numbers, random);
  double small = small_calls, large = large_calls;
  std::vector<DrawnNumber> drawn;
  for (const DrawnNumber& one : numbers) {
    const double cost = cost_of(one.number, ranges[one.shape]);
    double& left = cost < 1 ? small : large;
    if (drawn.size() == most_calls || cost > left) continue;
    left -= cost;
    drawn.push_back(one);
  }
  return drawn;
}

}  // namespace

std::vector<DrawnNumber> draw_numbers(const std::vector<NumberRange>& ranges) {
  const int most = ranges.front().most;
  Random random(static_cast<std::uint64_t>(most));
  std::vector<DrawnNumber> numbers = draw_around_constants(ranges, random);
  const std::size_t shape = random.below(ranges.size());
  numbers.push_back({shape, any_number(ranges[shape].most, random)});
  const int half = most / 2;
  numbers.push_back({0, most - static_cast<int>(random.below(static_cast<std::uint64_t>(half)))});
  return numbers;
}

}  // namespace tilelab::judge

namespace tilelab {

std::vector<int> draw_sizes(int most, int power) {
  return draw_sizes<int>({{[](int number) { return number; }, most, power}});
}

}  // namespace tilelab

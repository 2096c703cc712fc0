#include "judge/sizes/draw_sizes.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

#include "judge/calls/random.h"
#include "judge/options.h"
#include "judge/sizes/constants.h"

namespace tilelab::judge {
namespace {

// A call at a constant may take this many times as long as one with the largest number of its
// shape.
constexpr double stretch = 16;
// All calls at constants together take no longer than this many with the largest number. Few
// submissions have a constant above it.
constexpr double small_calls = 0.3, large_calls = 24;
// A call with a small number takes time, too.
constexpr std::size_t most_sizes = 6;
// A number above a product of constants may be this many times the largest one.
constexpr double product_stretch = 1.5;
// A call where the last block is special takes so long, or half of it.
constexpr double edge_call = 0.15;
constexpr int usual_block = 256;
constexpr std::uint64_t warp_size = 32, largest_block = 1024;
// All calls of a test of correctness take no longer than this many with the largest number.
constexpr double large_sizes_cost = 1.5;

/// How long a call takes, in parts of that with the largest number.
double cost_of(double number, const NumberRange& range) {
  return std::pow(number / range.most, range.power);
}

/// Draws a number whose size, not its value, is uniform.
int any_number(int most, Random& random) {
  return static_cast<int>(std::pow(most, random.real(0, 1)));
}

/// A number that may be drawn. The smallest key comes first.
struct Candidate {
  DrawnNumber drawn;
  double cost;
  double key;
};

/// Numbers around each constant, in a random order. Large ones tend to come first, because other
/// tests call with many small sizes, and those above a constant, because they are on the other side
/// of it. There has to be only one of them above the largest number.
std::vector<Candidate> around_constants(const std::vector<NumberRange>& ranges, Random& random) {
  std::vector<Candidate> candidates;
  const auto add = [&](std::size_t shape, int number, double weight) {
    candidates.push_back({{shape, number},
                          cost_of(number, ranges[shape]),
                          -std::log(random.real(0, 1)) / (weight * number)});
  };
  for (const std::uint64_t constant : options().constants) {
    for (std::size_t shape = 0; shape < ranges.size(); ++shape) {
      const double cost = cost_of(double(constant), ranges[shape]);
      if (cost >= stretch) continue;
      const int number = above(constant);
      add(shape, number, 16);
      if (cost > 1) continue;
      add(shape, number - 1, 0.5);
      // A submission may do something at this very number only: n == 54'321.
      add(shape, number - 2, 16);
      if (number > 3) add(shape, number - 3, 0.5);
    }
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
  return candidates;
}

std::vector<DrawnNumber> draw_around_constants(const std::vector<NumberRange>& ranges,
                                               Random& random) {
  double small = small_calls, large = large_calls;
  std::vector<DrawnNumber> drawn;
  for (const Candidate& one : around_constants(ranges, random)) {
    double& left = one.cost < 1 ? small : large;
    if (drawn.size() == most_sizes || one.cost > left) continue;
    left -= one.cost;
    drawn.push_back(one.drawn);
  }
  return drawn;
}

/// Draws one of the numbers up to `most` that are at least half of it.
int large_number(int most, Random& random) {
  const int half = most / 2;
  return most - static_cast<int>(random.below(static_cast<std::uint64_t>(half)));
}

/// The constants that may be the size of a block, the largest first, or what most have.
std::vector<int> block_sizes() {
  std::vector<int> sizes;
  for (const std::uint64_t constant : options().constants) {
    const bool may_be = constant % warp_size == 0 && constant <= largest_block;
    if (may_be) sizes.insert(sizes.begin(), static_cast<int>(constant));
  }
  return sizes.empty() ? std::vector{usual_block} : sizes;
}

/// Numbers of many blocks whose last one has a single element, is full, or lacks one.
std::vector<DrawnNumber> draw_block_edges(const std::vector<NumberRange>& ranges, Random& random) {
  const int block = block_sizes().front();  // the others divide it
  std::vector<DrawnNumber> drawn;
  for (const int more : {1, 0, -1}) {
    const std::size_t shape = random.below(ranges.size());
    const NumberRange& range = ranges[shape];
    const int most = static_cast<int>(range.most * std::pow(edge_call, 1.0 / range.power));
    const int blocks = large_number(most, random) / block;
    if (blocks > 1) drawn.push_back({shape, blocks * block + more});
  }
  return drawn;
}

/// Numbers where a block that the text names is the last whole one, or has one element after it.
/// Few submissions name one.
std::vector<DrawnNumber> at_named_blocks(const NumberRange& range) {
  double left = stretch;
  std::vector<DrawnNumber> drawn;
  for (const int size : block_sizes()) {
    for (const std::uint64_t block : options().block_constants) {
      const double number = (double(block) + 1) * size + 1;
      const double cost = cost_of(number, range);
      if (drawn.size() == most_sizes || cost > left) continue;
      left -= cost;
      drawn.push_back({0, static_cast<int>(number)});
    }
  }
  return drawn;
}

}  // namespace

std::vector<DrawnNumber> draw_numbers(const std::vector<NumberRange>& ranges) {
  Random random(static_cast<std::uint64_t>(ranges.front().most));
  std::vector<DrawnNumber> numbers = draw_around_constants(ranges, random);
  for (const DrawnNumber& one : at_named_blocks(ranges.front())) numbers.push_back(one);
  for (const DrawnNumber& one : draw_block_edges(ranges, random)) numbers.push_back(one);
  const std::size_t shape = random.below(ranges.size());
  numbers.push_back({shape, any_number(ranges[shape].most, random)});
  // Each shape makes something large that the others leave small.
  for (std::size_t other = 1; other < ranges.size(); ++other) {
    numbers.push_back({other, large_number(ranges[other].most / 4, random)});
  }
  const int most = ranges.front().most, product = above_products(most * product_stretch);
  const int large = large_number(most, random);
  if (product > most) numbers.push_back({0, product});
  numbers.push_back({0, product > most ? large : std::max(large, product)});
  return numbers;
}

std::vector<int> draw_large_numbers(int usual, const NumberRange& range) {
  std::vector<int> numbers;
  for (const std::uint64_t constant : options().constants) {
    const bool is_in_reach = constant < static_cast<std::uint64_t>(range.most) - 1;
    if (is_in_reach && above(constant) > usual) numbers.push_back(above(constant));
  }
  if (numbers.empty()) return {};
  // The largest comes first: what a submission does above one of the constants, it does above all.
  std::swap(numbers.front(), *std::max_element(numbers.begin(), numbers.end()));
  Random random(static_cast<std::uint64_t>(range.most));
  for (std::size_t i = 1; i + 1 < numbers.size(); ++i) {
    std::swap(numbers[i], numbers[i + random.below(numbers.size() - i)]);
  }
  double left = large_sizes_cost;
  std::vector<int> drawn;
  for (const int number : numbers) {
    const double cost = cost_of(number, range);
    if (drawn.size() == most_sizes || cost > left) continue;
    left -= cost;
    drawn.push_back(number);
  }
  return drawn;
}

}  // namespace tilelab::judge

namespace tilelab {

std::vector<int> draw_sizes(int most, int power) {
  return draw_sizes<int>({{[](int number) { return number; }, most, power}});
}

std::vector<int> draw_large_sizes(int usual, int most, int power) {
  return draw_large_sizes<int>({{[](int number) { return number; }, usual, most, power}});
}

int draw_long_size(int least, int most) {
  return std::max(draw_size(least, 2 * least), judge::above_products(most));
}

std::vector<int> sizes_beyond_narrow_counts() {
  if (!judge::options().may_count_narrowly) return {};
  // So far beyond 2^24 that a few rows of a matrix are.
  return {(1 << 24) + draw_size(100'000, 200'000)};
}

}  // namespace tilelab

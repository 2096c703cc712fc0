// What a submission of the lab `pipeline` has to do.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "judge/lab.h"
#include "patterns.h"
#include "reference.h"

using tilelab::Look;
using tilelab::Output;
using tilelab::Random;
using tilelab::Slice;
using tilelab::Submission;
using tilelab::judge::Problem;
using tilelab::reference::filtered;
using tilelab::reference::filtered_at;
using tilelab::reference::Signal;
using tilelab::reference::tolerance;

namespace {

void draw(Signal& signal, Random& random) {
  signal.in = random.reals(signal.in.size(), -1, 1);
  // None is close to 0, so that a number that is missing shows.
  for (float& weight : signal.weights.of) {
    weight = random.real(0.25f, 1) * (random.real(0, 1) < 0.5f ? -1.0f : 1.0f);
  }
}

Signal random_signal(int n) {
  Signal signal(static_cast<std::size_t>(n));
  Random random(signal.in.size());
  draw(signal, random);
  return signal;
}

bool is_close(const Signal& signal, float got, double expected) {
  // A NaN is not within the tolerance of anything.
  return std::abs(got - expected) <= tolerance(signal.weights);
}

bool check_filtered(const Signal& signal, const Output<float>& out) {
  tilelab::Rule<float> rule;
  rule.right = [&](float got, float expected) { return is_close(signal, got, expected); };
  rule.pattern = [&](const auto& elements) {
    return tilelab::reference::find_pattern(signal, elements);
  };
  return tilelab::check_elements<float>(out, filtered(signal), rule);
}

// With few blocks each of them has many tiles, with many blocks some have none.
void check_filter(int n, int blocks) {
  const Signal signal = random_signal(n);
  INFO("n = " << n << ", blocks = " << blocks);
  Output<float> out("out", signal.results());
  Submission().call<filter>(signal.in, out, signal.weights, n, blocks);
  check_filtered(signal, out);
}

void check_safe(int n, int blocks, Look look = Look::all_blocks) {
  const Signal signal = random_signal(n);
  INFO("n = " << n << ", blocks = " << blocks);
  Output<float> out("out", signal.results());
  const auto check = [&] { return check_filtered(signal, out); };
  tilelab::check_safe<filter>(look, check, signal.in, out, signal.weights, n, blocks);
}

/// Checks that there is one launch, with no more blocks and threads than there is room for.
void check_room(const tilelab::judge::Observation& observation, int blocks) {
  constexpr std::uint64_t most_threads = 256;
  std::uint64_t launches = 0;
  for (const tilelab::report::LaunchReport& launch : observation.report.launches) {
    launches += launch.launches;
    const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
    if (launch.blocks <= static_cast<std::uint64_t>(blocks) && threads <= most_threads) continue;
    std::ostringstream text;
    text << launch.kernel << " was launched with " << launch.blocks << " blocks of " << threads
         << " threads, but there is only room for " << blocks << " blocks of " << most_threads
         << '.';
    tilelab::judge::fail_and_stop({text.str(), "too_many_threads"});
  }
  if (launches == 1) return;
  std::ostringstream text;
  text << "filter made " << launches << " launches, but there is only room for one.";
  tilelab::judge::fail_and_stop({text.str(), "too_many_threads"});
}

/// The traffic of a signal, if its results are right and its launch fits.
std::optional<tilelab::Traffic> observe(int n, int blocks, Look look) {
  const Signal signal = random_signal(n);
  INFO("n = " << n << ", blocks = " << blocks);
  Output<float> out("out", signal.results());
  const auto check = [&] { return check_filtered(signal, out); };
  auto traffic =
      tilelab::observe_traffic<filter>(look, check, signal.in, out, signal.weights, n, blocks);
  if (traffic) check_room(traffic->submission(), blocks);
  return traffic;
}

/// The same for a few dozen tiles and a few blocks.
std::optional<tilelab::Traffic> observe() {
  return observe(tilelab::draw_size(60'000, 70'000), 5, Look::all_blocks);
}

/// What threads load from global memory themselves, into registers, per byte of input. What an
/// asynchronous copy brings into shared memory is not among it.
const tilelab::TrafficMetric loads_by_threads = {
    "loads_by_threads", "bytes that threads load, not asynchronous copies, per byte of input",
    tilelab::judge::bytes_loaded_by_threads,
    [](const Problem& problem) { return static_cast<double>(problem.input_bytes); }};

// On an H200, that is a block per multiprocessor.
constexpr int timed_blocks = 132;

tilelab::SpeedCall call(const Signal& signal, std::size_t n) {
  const Output<float> out("out", n);
  return tilelab::speed_call<filter>(signal.in, out, signal.weights, static_cast<int>(n),
                                     timed_blocks);
}

bool is_right(const Signal& signal, const Slice& slice) {
  return slice.all<float>(
      [&](auto i, auto got) { return is_close(signal, got, filtered_at(signal, i)); });
}

// Each number comes in once, and a result goes out once. A result takes 33 products and sums.
const tilelab::SimpleSpeed<Signal> timed{
    .call = call,
    .draw = draw,
    .is_right = is_right,
    .work = tilelab::work_per_element(2 * sizeof(float), 2 * taps),
    .sizes = {.speed = 1 << 25,
              .bench = {1 << 28},
              .scaling = {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28},
              .challenge = 1 << 28}};

// No tile is larger than a few thousand results.
const std::vector<int> within_a_tile = {1, 2, 3, 4, 5, 31, 32, 33, 100, 255, 256, 257, 1000};
const std::vector<int> around_tiles = {1023, 1024, 1025, 1028, 2047, 2049, 2051, 3072, 4095, 4097};
const std::vector<int> many_tiles = {8191, 10'000, 16'385, 40'001, 65'538};

/// Results, and blocks.
using Size = std::pair<int, int>;

Size with_results(int n) { return {n, tilelab::draw_size(10, 30)}; }

Size with_blocks(int blocks) { return {tilelab::draw_size(10'000, 20'000), blocks}; }

const std::vector<tilelab::Shape<Size>> shapes = {{with_results, 1 << 17}, {with_blocks, 400, 3}};

Size in_a_block(int n) { return {n, 1}; }

const std::vector<tilelab::LargeShape<Size>> large_shapes = {{in_a_block, 65'538, (1 << 20) + 2},
                                                             {with_blocks, 200, 1'000}};

}  // namespace

TEST_CASE("filter is right for whole tiles", "[correctness]") {
  check_filter(GENERATE(4096, 16'384, 65'536), GENERATE(1, 3));
}

TEST_CASE("filter is right within a tile", "[correctness]") {
  check_filter(GENERATE(from_range(within_a_tile)), GENERATE(1, 2));
}

TEST_CASE("filter is right around the end of a tile", "[correctness]") {
  check_filter(GENERATE(from_range(around_tiles)), GENERATE(1, 2));
}

TEST_CASE("filter is right for many tiles", "[correctness]") {
  SECTION("in any text") { check_filter(GENERATE(from_range(many_tiles)), GENERATE(1, 3, 200)); }
  SECTION("above the constants in the text") {
    for (const auto& [n, blocks] : tilelab::draw_large_sizes(large_shapes)) check_filter(n, blocks);
  }
}

TEST_CASE("filter does nothing for an empty signal, and works after it", "[correctness]") {
  check_filter(0, 2);
  check_filter(50, 2);
}

TEST_CASE("filter has no data race in whole tiles", "[safety]") {
  check_safe(4096 * tilelab::draw_size(3, 8), GENERATE(1, 2));
}

TEST_CASE("filter has no data race and stays within its arrays at any size", "[safety]") {
  SECTION("in all blocks") {
    const auto [least, most] = GENERATE(table<int, int>({{1, 60}, {1025, 1100}, {18'000, 30'000}}));
    check_safe(tilelab::draw_size(least, most), 1);
  }
  SECTION("at any size") {
    const auto [n, blocks] = GENERATE(from_range(tilelab::draw_sizes(shapes)));
    check_safe(n, blocks, Look::some_blocks);
  }
  SECTION("with all tiles in one block") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(40'000))), 1, Look::some_blocks);
  }
}

TEST_CASE("filter loads each number about once, with few threads", "[memory]") {
  SECTION("in a few blocks") {
    const auto traffic = observe();
    if (!traffic) return;
    traffic->check_at_most(1.1, tilelab::loads_per_element);
    traffic->check_at_most(1.1, tilelab::stores_per_element, 1.1);
    traffic->check_at_most(2.4, tilelab::sector_excess, 0.25);
    traffic->check_at_most(1.0, tilelab::bank_conflicts, 2.0);
    traffic->check_at_most(1.5, tilelab::shared_wavefronts);
  }
  SECTION("however many blocks may run") {
    const auto [least, most] =
        GENERATE(table<int, int>({{1, 1}, {2, 99}, {100, 250}, {251, 1'000}}));
    Random random(static_cast<std::uint64_t>(most));
    const auto draw = [&](int from, int to) {
      return from + static_cast<int>(random.below(static_cast<std::uint64_t>(to - from + 1)));
    };
    // More tiles than blocks, as far as that takes little time.
    const int blocks = draw(least, most), tiles = std::min(blocks, 300);
    observe(draw(1'100 * tiles, 1'200 * tiles), blocks, Look::some_blocks);
  }
}

TEST_CASE("filter's tiles come by asynchronous copies", "[memory]") {
  const auto check = [](const std::optional<tilelab::Traffic>& traffic) {
    if (traffic) traffic->check_at_most(1.0, loads_by_threads, 0.05);
  };
  SECTION("in a few blocks") { check(observe()); }
  SECTION("in long signals") {
    const tilelab::LargerSizes longer = {.usual = 400'000, .most = 1 << 20};
    const int n = GENERATE_COPY(from_range(tilelab::draw_larger_numbers(longer)));
    check(observe(n, tilelab::draw_size(40, 80), Look::some_blocks));
  }
}

TEST_CASE("filter is faster than the baseline", "[speed]") { timed.speed(); }

TEST_CASE("filter's ladder is timed", "[bench]") { timed.bench(); }

TEST_CASE("filter is timed against n", "[scaling]") { timed.scaling(); }

TEST_CASE("the fastest filter", "[challenge]") { timed.challenge(); }

TEST_CASE("filter is right where its time is estimated", "[estimated]") {
  const auto check = [](auto in, const auto& out, const Weights& weights, int n, int) {
    Signal signal(n);
    signal.in = std::move(in);
    signal.weights = weights;
    out.check([&](std::size_t i, float got) {
      const double expected = filtered_at(signal, i);
      return tilelab::correction(is_close(signal, got, expected), static_cast<float>(expected));
    });
  };
  tilelab::check_estimated<filter>(check);
}

TEST_CASE("a picture of filter", "[show]") {
  // Weights of 1 make results that can be checked by eye.
  const int n = tilelab::picture_size(20, 1, 200);
  Signal signal(static_cast<std::size_t>(n));
  Random random(signal.in.size());
  for (float& number : signal.in) number = std::floor(random.real(0, 10));
  for (float& weight : signal.weights.of) weight = 1;
  Output<float> out("out", signal.results());
  const tilelab::Axes axes = {{"i", signal.in.size(), 1}};
  const auto outputs = [&] { return std::vector{tilelab::pictured_output(out, filtered(signal))}; };
  tilelab::draw_picture<filter>(axes, outputs, signal.in, out, signal.weights, n, 1);
}

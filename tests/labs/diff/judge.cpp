// What a submission of the lab `diff` has to do.

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

#include "judge/lab.h"
#include "reference.h"

using tilelab::Look;
using tilelab::Output;
using tilelab::Random;
using tilelab::Slice;
using tilelab::speed_call;
using tilelab::Submission;
using tilelab::judge::Pattern;
using tilelab::judge::WrongElements;
using tilelab::reference::adjacent_difference;
using tilelab::reference::difference_at;

namespace {

Pattern saturated(const WrongElements<int>& elements) {
  using Limits = std::numeric_limits<int>;
  const auto is_limit = [](std::size_t, int got, int) {
    return got == Limits::min() || got == Limits::max();
  };
  if (!elements.all(is_limit)) return {};
  return {"saturated", "Each wrong element is the largest or the smallest int."};
}

void check_diff(const std::vector<int>& in) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  Output<int> out("out", in.size());
  Submission().call<diff>(in, out, n);
  tilelab::check_equal(out, adjacent_difference(in), saturated);
}

/// Checks a row so long that shorter ones show what depends on the order of the threads.
void check_long(const std::vector<int>& in) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  Output<int> out("out", in.size());
  const std::vector<int> expected = adjacent_difference(in);
  const auto is_right = [&] {
    return std::all_of(out.runs().begin(), out.runs().end(),
                       [&](const auto& run) { return run.values == expected; });
  };
  Submission().call_in_any_order<diff>(is_right, in, out, n);
  tilelab::check_equal(out, expected, saturated);
}

std::vector<int> random_row(int n) {
  return Random(static_cast<std::uint64_t>(n)).integers<int>(static_cast<std::size_t>(n));
}

void check_safe(int n, Look look) {
  const std::vector<int> in = random_row(n);
  INFO("n = " << n);
  Output<int> out("out", in.size());
  const auto check = [&] { return tilelab::check_equal(out, adjacent_difference(in)); };
  tilelab::check_safe<diff>(look, check, in, out, n);
}

std::optional<tilelab::Traffic> observe_diff() {
  const auto [n, look] =
      tilelab::draw_observed_size(90'000, 110'000, {.usual = 1 << 20, .most = (1 << 24) + 2});
  const std::vector<int> in = random_row(n);
  INFO("n = " << n);
  Output<int> out("out", in.size());
  const auto check = [&] { return tilelab::check_equal(out, adjacent_difference(in)); };
  return tilelab::observe_traffic<diff>(look, check, in, out, n);
}

constexpr std::size_t longest_row = std::size_t{1} << 28;  // far more than any cache holds

const tilelab::SimpleSpeed<std::vector<int>> timed_diff{
    .call = [](auto& in, auto n) { return speed_call<diff>(in, Output<int>("out", n), n); },
    .draw = [](auto& in, Random& random) { random.fill(std::as_writable_bytes(std::span(in))); },
    .is_right =
        [](auto& in, const Slice& slice) {
          return slice.all<int>([&](auto i, int got) { return got == difference_at(in, i); });
        },
    // Each element comes in once and goes out once, and takes one subtraction.
    .work = tilelab::work_per_element(2 * sizeof(int), 1),
    .sizes = {.speed = std::size_t{1} << 25,  // several times what an L2 cache holds
              .bench = {longest_row},
              .scaling = {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28},
              .challenge = longest_row}};

}  // namespace

TEST_CASE("diff is right for one block and less", "[correctness]") {
  check_diff(random_row(GENERATE(1, 2, 10, 31, 32, 33)));
}

TEST_CASE("diff is right one off every block size", "[correctness]") {
  check_diff(random_row(GENERATE(127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024, 1025)));
}

TEST_CASE("diff is right over many blocks", "[correctness]") {
  // The lengths are odd, so neither a block nor a vector load divides them.
  SECTION("in any text") { check_long(random_row(GENERATE(65'537, 1'000'003))); }
  SECTION("at a size that no text tells") {
    const tilelab::judge::LongerCalls longer;
    check_long(random_row(tilelab::draw_long_size(1 << 21, (1 << 24) + 2)));
  }
  SECTION("beyond what float and 16 bits count") {
    for (const int n : tilelab::sizes_beyond_narrow_counts()) check_long(random_row(n));
  }
  SECTION("above the constants in the text") {
    for (const int n : tilelab::draw_large_sizes(1'000'003, (1 << 24) + 2)) {
      check_long(random_row(n));
    }
  }
}

TEST_CASE("diff wraps on overflow", "[correctness]") {
  constexpr int lowest = std::numeric_limits<int>::min(), highest = std::numeric_limits<int>::max();
  std::vector<int> in;
  for (int i = 0; i < 300; ++i) in.insert(in.end(), {lowest, highest, -1, 1, lowest, lowest});
  check_diff(in);
}

TEST_CASE("diff does nothing for an empty row, and works after it", "[correctness]") {
  check_diff({});
  check_diff(random_row(100));
}

TEST_CASE("diff has no data race and stays within its arrays", "[safety]") {
  SECTION("in all blocks") {
    const auto [from, to] = GENERATE(table<int, int>({{1, 1}, {33, 63}, {257, 500}, {2500, 3500}}));
    check_safe(tilelab::draw_size(from, to), Look::all_blocks);
  }
  SECTION("at any size") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(1 << 19))), Look::some_blocks);
  }
}

TEST_CASE("diff loads each element about once", "[memory]") {
  const auto traffic = observe_diff();
  if (!traffic) return;
  // The technique costs one more load per block or warp.
  traffic->check_at_most(1.1, tilelab::loads_per_element, 1.1);
  traffic->check_at_most(1.1, tilelab::stores_per_element, 1.1);
}

TEST_CASE("diff's warps use what they move, without bank conflicts", "[memory]") {
  const auto traffic = observe_diff();
  if (!traffic) return;
  // The load of a neighbor may touch one more sector.
  traffic->check_at_most(2.4, tilelab::sector_excess, 0.25);
  traffic->check_at_most(1.0, tilelab::bank_conflicts, 0.1);
  // Lanes that take turns have no bank conflicts, and wait as long. An element goes into the tile
  // and comes out twice.
  traffic->check_at_most(2.0, tilelab::shared_wavefronts, 8);
}

TEST_CASE("diff is right where its time is estimated", "[estimated]") {
  tilelab::check_estimated<diff>([](const auto& in, const auto& out, int) {
    out.check([&](std::size_t i, int got) {
      const int expected = difference_at(in, i);
      return tilelab::correction(got == expected, expected);
    });
  });
}

TEST_CASE("a picture of diff", "[show]") {
  const int n = tilelab::picture_size(10, 1, 1000);
  Random random(static_cast<std::uint64_t>(n));
  std::vector<int> in;
  for (int i = 0; i < n; ++i) in.push_back(static_cast<int>(random.below(100)));
  Output<int> out("out", in.size());
  const std::vector<int> expected = adjacent_difference(in);
  tilelab::draw_picture<diff>(
      {}, [&] { return std::vector{tilelab::pictured_output(out, expected)}; }, in, out, n);
}

TEST_CASE("diff is faster than the baseline", "[speed]") { timed_diff.speed(); }

TEST_CASE("diff's ladder is timed", "[bench]") { timed_diff.bench(); }

TEST_CASE("diff is timed against n", "[scaling]") { timed_diff.scaling(); }

TEST_CASE("the fastest diff", "[challenge]") { timed_diff.challenge(); }

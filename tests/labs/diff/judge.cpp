// What a submission of the lab `diff` has to do.

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "judge/lab.h"
#include "reference.h"

using tilelab::LeastWork;
using tilelab::Output;
using tilelab::Peak;
using tilelab::Random;
using tilelab::Rule;
using tilelab::Slice;
using tilelab::SpeedProblem;
using tilelab::Submission;
using tilelab::Work;
using tilelab::judge::Differences;
using tilelab::judge::Pattern;
using tilelab::reference::adjacent_difference;
using tilelab::reference::difference_at;

namespace {

bool saturates(const std::vector<int>& got, const Differences& differences) {
  using Limits = std::numeric_limits<int>;
  return !differences.wrong.empty() &&
         std::all_of(differences.wrong.begin(), differences.wrong.end(), [&](std::size_t i) {
           return got[i] == Limits::min() || got[i] == Limits::max();
         });
}

void check_result(const Output<int>& out, const std::vector<int>& expected) {
  Rule<int> rule;
  rule.right = std::equal_to<int>();
  rule.pattern = [&](const Differences& differences) {
    return saturates(out.runs().front().values, differences)
               ? Pattern{"saturated", "Each wrong element is the largest or the smallest int."}
               : Pattern{};
  };
  tilelab::check_elements<int>(out, expected, rule);
}

void check_diff(const std::vector<int>& in) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  Output<int> out("out", in.size());
  Submission().call<diff>(in, out, n);
  check_result(out, adjacent_difference(in));
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
  check_result(out, expected);
}

std::vector<int> random_row(int n) {
  return Random(static_cast<std::uint64_t>(n)).integers<int>(static_cast<std::size_t>(n));
}

std::optional<tilelab::Traffic> observe_diff() {
  const std::vector<int> in = random_row(tilelab::draw_size(90'000, 110'000));
  const int n = static_cast<int>(in.size());
  Output<int> out("out", in.size());
  const auto check = [&] { return tilelab::check_equal(out, adjacent_difference(in)); };
  return tilelab::observe_traffic<diff>(check, in, out, n);
}

constexpr std::size_t longest_row = std::size_t{1} << 28;  // far more than any cache holds

// A grade draws the whole row anew in each round and sends it to each contender, so it is shorter.
// It is still several times what an L2 cache holds.
constexpr std::size_t graded_row = std::size_t{1} << 25;

struct TimedRow {
  std::vector<int> in;
  Output<int> out;

  explicit TimedRow(std::size_t n) : in(n), out("out", n) {}

  SpeedProblem problem() {
    return {tilelab::judge::function_of<diff>(),
            tilelab::judge::arguments_of<diff>(in, out, static_cast<int>(in.size())),
            [this](Random& random) { random.fill(std::as_writable_bytes(std::span(in))); },
            [this](const Slice& slice) { return is_right(slice); }};
  }

  // Each element comes in once and goes out once.
  LeastWork least_work() const { return {Peak::bytes, 2.0 * sizeof(int) * double(in.size())}; }

  // One subtraction per element.
  Work work() const { return {in.size(), double(in.size()), least_work().amount}; }

  bool is_right(const Slice& slice) const {
    const std::vector<int> got = slice.values<int>();
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (got[k] != difference_at(in, slice.first + k)) return false;
    }
    return true;
  }
};

void time_kernels(std::size_t n) {
  TimedRow row(tilelab::largest_problem(n, 2 * sizeof(int)));
  tilelab::benchmark("n = " + std::to_string(row.in.size()), {row.problem()}, row.least_work(),
                     row.work());
}

}  // namespace

TEST_CASE("diff is right for one block and less", "[correctness]") {
  check_diff(random_row(GENERATE(1, 2, 10, 31, 32, 33)));
}

TEST_CASE("diff is right one off every block size", "[correctness]") {
  check_diff(random_row(GENERATE(127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024, 1025)));
}

TEST_CASE("diff is right over many blocks", "[correctness]") {
  // The lengths are odd, so neither a block nor a vector load divides them.
  check_long(random_row(GENERATE(65'537, 1'000'003)));
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
  const auto [from, to] = GENERATE(table<int, int>({{1, 1}, {33, 63}, {257, 500}, {2500, 3500}}));
  const std::vector<int> in = random_row(tilelab::draw_size(from, to));
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  Output<int> out("out", in.size());
  const auto check = [&] { return tilelab::check_equal(out, adjacent_difference(in)); };
  tilelab::check_safe<diff>(check, in, out, n);
}

TEST_CASE("diff loads each element about once", "[memory]") {
  const auto traffic = observe_diff();
  if (!traffic) return;
  // The technique costs one more load per block or warp.
  traffic->check_at_most(1.1, tilelab::loads_per_element);
}

TEST_CASE("diff's warps use what they move, without bank conflicts", "[memory]") {
  const auto traffic = observe_diff();
  if (!traffic) return;
  // The load of a neighbor may touch one more sector.
  traffic->check_at_most(1.25, tilelab::sector_excess, 1.0);
  traffic->check_at_most(1.0, tilelab::bank_conflicts, 0.05);
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

TEST_CASE("diff is faster than the baseline", "[speed]") {
  TimedRow row(tilelab::largest_problem(graded_row, 2 * sizeof(int)));
  tilelab::measure_speed({row.problem()}, row.least_work());
}

TEST_CASE("diff's ladder is timed", "[bench]") { time_kernels(longest_row); }

TEST_CASE("diff is timed against n", "[scaling]") {
  time_kernels(std::size_t{1} << GENERATE(12, 16, 20, 24, 28));
}

TEST_CASE("the fastest diff", "[challenge]") {
  TimedRow row(tilelab::largest_problem(longest_row, 2 * sizeof(int)));
  tilelab::challenge("n = " + std::to_string(row.in.size()), {row.problem()}, row.least_work());
}

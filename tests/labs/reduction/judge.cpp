// What a submission of the lab `reduction` has to do.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/lab.h"
#include "patterns.h"
#include "reference.h"

using tilelab::Look;
using tilelab::Output;
using tilelab::Random;
using tilelab::Scratch;
using tilelab::Slice;
using tilelab::Submission;
using tilelab::judge::Cost;
using tilelab::reference::Row;

namespace {

/// The numbers that a call may work with.
std::size_t work_size(std::size_t n) { return n / 32 + 64; }

// Multiples of 1/64 whose magnitudes add up to less than 2^24 / 64: no addition of some of them
// rounds, in whatever order, so that each sum is exact and a single missing element shows. None is
// 0.
void draw_exact(Row& row, Random& random) {
  constexpr std::size_t most = 1 << 24;
  const auto units =
      static_cast<std::uint32_t>(std::clamp<std::size_t>(most / row.size(), 2, 4096));
  const std::vector<std::uint32_t> words = random.integers<std::uint32_t>(row.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    const auto magnitude = static_cast<float>(1 + (words[i] >> 1) % units) / 64;
    row[i] = words[i] % 2 == 0 ? magnitude : -magnitude;
  }
}

Row exact_row(int n) {
  Row row(static_cast<std::size_t>(n));
  Random random(row.size());
  if (n > 0) draw_exact(row, random);
  return row;
}

/// Numbers of very different magnitudes, whose sum depends on the order of the additions.
Row rounded_row(int n) {
  Row row(static_cast<std::size_t>(n));
  Random random(row.size());
  for (float& value : row) {
    value = std::ldexp(random.real(-1, 1), static_cast<int>(random.below(20)));
  }
  return row;
}

/// The same, each times a power of 2.
Row scaled(Row row, int power) {
  for (float& value : row) value = std::ldexp(value, power);
  return row;
}

/// Fails the test as check_elements() does.
void fail_with(const Output<float>& out, const tilelab::judge::Pattern& pattern, float expected,
               float got) {
  tilelab::judge::Differences differences;
  differences.size = 1;
  differences.wrong = {0};
  tilelab::judge::fail(tilelab::judge::wrong_result(differences, pattern, out.name(), "[0]",
                                                    tilelab::judge::show(expected),
                                                    tilelab::judge::show(got)));
}

/// Whether a number is another one, but for rounding. What is not finite is like all that is not.
bool is_near(float got, float wanted, float tolerance) {
  if (!std::isfinite(wanted)) return !std::isfinite(got);
  return std::abs(got - wanted) <= tolerance * std::abs(wanted);
}

/// The run that shows that the sum was added to the noise that was there. A sum of 0 leaves noise
/// as it was, as if nobody had written, and a sum that is much larger hides it. So all runs have to
/// be explained like this, and one has to be written.
const Output<float>::Run* find_sum_on_noise(const Output<float>& out, float sum) {
  const Output<float>::Run* wrong = nullptr;
  bool is_written = false;
  for (const Output<float>::Run& run : out.runs()) {
    const float got = run.values.front(), before = run.before.front();
    if (!is_near(got, before + sum, 1e-5f)) return nullptr;
    is_written = is_written || got != before;
    if (!is_near(got, sum, 1e-3f)) wrong = &run;
  }
  return is_written ? wrong : nullptr;
}

/// Fails the test if the sum was added to noise. Returns whether it was.
bool fails_on_noise(const Output<float>& out, float sum) {
  const Output<float>::Run* run = find_sum_on_noise(out, sum);
  if (run == nullptr) return false;
  fail_with(out, {"not_zeroed", "The sum was added to what was in out before the call."}, sum,
            run->values.front());
  return true;
}

bool check_sum(const Row& in, const Output<float>& out) {
  const auto expected = static_cast<float>(tilelab::reference::sum(in));
  if (fails_on_noise(out, expected)) return false;
  tilelab::Rule<float> rule;
  rule.right = [&](float got, float) { return tilelab::reference::is_right(in, got); };
  return tilelab::check_elements<float>(out, std::vector{expected}, rule);
}

bool check_exact_sum(const Row& in, const Output<float>& out) {
  const auto expected = static_cast<float>(tilelab::reference::sum(in));
  if (fails_on_noise(out, expected)) return false;
  return tilelab::check_equal(out, std::vector{expected}, [&](const auto& elements) {
    if (!elements.unwritten.empty()) return tilelab::judge::Pattern{};
    return tilelab::reference::find_pattern(in, elements.got.front());
  });
}

/// Checks a row so long that shorter ones show what depends on the order of the threads.
void check_once(int n) {
  const Row in = exact_row(n);
  INFO("n = " << n);
  Output<float> out("out", 1);
  Submission().call_once<sum>(in, out, Scratch<float>(work_size(in.size())), n);
  check_exact_sum(in, out);
}

Output<float> sum_of(const Row& in) {
  Output<float> out("out", 1);
  const Scratch<float> work(work_size(in.size()));
  Submission().call<sum>(in, out, work, static_cast<int>(in.size()));
  return out;
}

void check_exact(int n) {
  const Row in = exact_row(n);
  INFO("n = " << n);
  check_exact_sum(in, sum_of(in));
}

void check_rounded(const Row& in) {
  INFO("n = " << in.size());
  check_sum(in, sum_of(in));
}

/// Fails the test if two runs left different bits.
void check_same_bits(const Output<float>& out) {
  const float first = out.runs().front().values.front();
  for (const Output<float>::Run& run : out.runs()) {
    const float other = run.values.front();
    if (std::memcmp(&first, &other, sizeof first) == 0) continue;
    fail_with(
        out,
        {"rounding_order",
         "Both may be right, but they differ: the order of the additions, and with it what is "
         "rounded, depends on which block or thread comes first, as that of float atomics "
         "does."},
        first, other);
    return;
  }
  SUCCEED();
}

/// The same for a row of many magnitudes whose sum is right.
void check_same_bits(int n) {
  const Row in = rounded_row(n);
  INFO("n = " << n);
  const Output<float> out = sum_of(in);
  if (check_sum(in, out)) check_same_bits(out);
}

void check_safe(int n, Look look) {
  const Row in = exact_row(n);
  INFO("n = " << n);
  Output<float> out("out", 1);
  const Scratch<float> work(work_size(in.size()));
  const auto check = [&] { return check_exact_sum(in, out); };
  tilelab::check_safe<sum>(look, check, in, out, work, n);
}

// Adding to one place in shared memory takes a pass per lane.
const tilelab::TrafficMetric shared_requests = {
    "shared_requests", "shared memory requests per 32 elements",
    [](const Cost& cost) {
      return cost.kernels.shared_loads.requests + cost.kernels.shared_stores.requests +
             cost.kernels.shared_atomics.thread_accesses;
    },
    tilelab::warps_of_elements};

const tilelab::TrafficMetric global_atomics = {
    "global_atomics", "atomic operations on global memory per 32 elements",
    [](const Cost& cost) { return cost.kernels.global_atomics.thread_accesses; },
    tilelab::warps_of_elements};

/// The traffic of a row of many blocks, if its sum is right.
std::optional<tilelab::Traffic> observe() {
  const auto [n, look] =
      tilelab::draw_observed_size(60'000, 70'000, {.usual = 1 << 20, .most = (1 << 23) + 2});
  const Row in = exact_row(n);
  INFO("n = " << n);
  Output<float> out("out", 1);
  const Scratch<float> work(work_size(in.size()));
  const auto check = [&] { return check_exact_sum(in, out); };
  return tilelab::observe_traffic<sum>(look, check, in, out, work, n);
}

// With one element per thread, halving a tile takes 5.5 requests per 32 elements in blocks of 256
// threads, and 7 in blocks of 128. The baseline's warps all stay until the end, which takes 18.6.
constexpr double requests_allowed = 8;

/// Numbers to be timed with, and their sum.
struct TimedRow {
  Row row;
  float sum = 0;

  explicit TimedRow(std::size_t n) : row(n) {}
};

tilelab::SpeedCall call(const TimedRow& in, std::size_t n) {
  const Output<float> out("out", 1);
  const Scratch<float> work(work_size(n));
  return tilelab::speed_call<sum>(in.row, out, work, static_cast<int>(n));
}

void draw(TimedRow& in, Random& random) { draw_exact(in.row, random); }

void expect(TimedRow& in) { in.sum = static_cast<float>(tilelab::reference::sum(in.row)); }

// The numbers are exact, so a launch that leaves out one of them is found out.
bool is_right(const TimedRow& in, const Slice& slice) {
  return slice.all<float>([&](auto, auto got) { return got == in.sum; });
}

const tilelab::SimpleSpeed<TimedRow> timed{
    .call = call,
    .draw = draw,
    .is_right = is_right,
    .work = tilelab::work_per_element(sizeof(float), 1, tilelab::Peak::reads),
    .expect = expect,
    .sizes = {.speed = 1 << 26,
              .bench = {1 << 28},
              .scaling = {1 << 10, 1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28},
              .challenge = 1 << 28}};

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

}  // namespace

TEST_CASE("sum is right for one block and less", "[correctness]") {
  check_exact(GENERATE(1, 2, 3, 7, 31, 32, 33, 100));
}

TEST_CASE("sum is right one off every block size", "[correctness]") {
  check_exact(GENERATE(63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025,
                       2047, 2048, 2049));
}

TEST_CASE("sum is right for many blocks", "[correctness]") {
  check_exact(GENERATE(4'799, 16'384, 65'535, 65'537, 100'003));
}

TEST_CASE("sum is right for more blocks than one pass can add up", "[correctness]") {
  SECTION("in any text") { check_exact(GENERATE(1 << 20, 1'300'001)); }
  SECTION("at a size that no text tells") {
    const tilelab::judge::LongerCalls longer;
    check_once(tilelab::draw_long_size(1 << 21, (1 << 23) + 2));
  }
  SECTION("above the constants in the text") {
    // The sums of more elements are not exact.
    for (const int n : tilelab::draw_large_sizes(1'300'001, (1 << 23) + 2)) check_exact(n);
  }
}

TEST_CASE("sum is 0 for no element, and right after it", "[correctness]") {
  check_exact(0);
  check_exact(500);
}

TEST_CASE("sum is as exact as its additions", "[correctness]") {
  SECTION("for numbers of many magnitudes") { check_rounded(rounded_row(GENERATE(777, 30'000))); }
  SECTION("for large and for small numbers") {
    // Magnitudes add up to less than 2^120, and hardly any number is below the normal ones.
    const int power = GENERATE(-100, 80);
    check_rounded(scaled(rounded_row(GENERATE(777, 30'000)), power));
  }
  SECTION("for numbers that cancel") {
    Row in = rounded_row(20'000);
    for (std::size_t i = 0; i < in.size() / 2; ++i) in[in.size() - 1 - i] = -in[i];
    check_rounded(in);
  }
  SECTION("for a large number and many small ones") {
    Row in(10'000, 1);
    in[Random(3).below(in.size())] = 0x1p24f;
    check_rounded(in);
  }
}

TEST_CASE("sum passes infinities and NaNs on", "[correctness]") {
  // In the longer row, a thread adds up several elements.
  Row in = exact_row(GENERATE(3'000, 300'007));
  Random random(4);
  const std::size_t some = random.below(1'000), other = 1'000 + random.below(1'000);
  SECTION("an infinity") { in[some] = random.below(2) == 0 ? infinite : -infinite; }
  SECTION("the same infinity twice") { in[some] = in[other] = -infinite; }
  SECTION("both infinities") {
    in[some] = infinite;
    in[other] = -infinite;
  }
  SECTION("a NaN") { in[other] = not_a_number; }
  SECTION("none of them") {}
  check_rounded(in);
}

TEST_CASE("sum has the same bits in every order of the threads", "[correctness]") {
  SECTION("in any text") { check_same_bits(GENERATE(900, 50'000, 1'000'003)); }
  SECTION("above the constants in the text") {
    for (const int n : tilelab::draw_large_sizes(50'000, (1 << 22) + 2)) check_same_bits(n);
  }
}

TEST_CASE("sum has no data race and stays within its arrays", "[safety]") {
  SECTION("in all blocks") {
    const auto [from, to] =
        GENERATE(table<int, int>({{1, 2}, {33, 63}, {257, 500}, {2'500, 3'500}, {70'000, 72'000}}));
    check_safe(tilelab::draw_size(from, to), Look::all_blocks);
  }
  SECTION("at any size") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(1 << 18))), Look::some_blocks);
  }
}

TEST_CASE("sum reads each element once, and few warps stay to add", "[memory]") {
  const auto traffic = observe();
  if (!traffic) return;
  // Blocks of 64 threads read their own sums again: 1 of 64.
  traffic->check_at_most(1.05, tilelab::loads_per_element, 1.05);
  traffic->check_at_most(2.4, tilelab::sector_excess, 0.25);
  traffic->check_at_most(1.0, shared_requests, requests_allowed);
  traffic->check_at_most(1.0, global_atomics, 1.0);
}

TEST_CASE("sum's tile has no bank conflicts", "[memory]") {
  const auto traffic = observe();
  if (!traffic) return;
  // Warps that all stay until the end have no conflicts, and nothing to be proud of. Neither has a
  // tree in global memory, whose sums are loaded from there.
  traffic->check_at_most(1.0, shared_requests, requests_allowed);
  traffic->check_at_most(1.5, tilelab::loads_per_element, 1.5);
  // There is none to allow: a thread that adds many elements before makes those of its tile few.
  traffic->check_at_most(1.0, tilelab::bank_conflicts, 0.01);
}

TEST_CASE("sum is faster than the baseline", "[speed]") { timed.speed(); }

TEST_CASE("sum's ladder is timed", "[bench]") { timed.bench(); }

TEST_CASE("sum is timed against n", "[scaling]") { timed.scaling(); }

TEST_CASE("the fastest sum", "[challenge]") { timed.challenge(); }

TEST_CASE("sum is right where its time is estimated", "[estimated]") {
  tilelab::check_estimated<sum>([](const Row& in, const auto& out, const auto&, int) {
    // The numbers are exact, so that a constant is not close enough.
    const auto expected = static_cast<float>(tilelab::reference::sum(in));
    out.check(
        [&](std::size_t, float got) { return tilelab::correction(got == expected, expected); });
  });
}

TEST_CASE("a picture of sum", "[show]") {
  const int n = tilelab::picture_size(16, 1, 256);
  Row in;
  for (int i = 1; i <= n; ++i) in.push_back(static_cast<float>(i));
  Output<float> out("out", 1);
  const Scratch<float> work(work_size(in.size()));
  const auto outputs = [&] {
    const auto expected = static_cast<float>(tilelab::reference::sum(in));
    return std::vector{tilelab::pictured_output(out, std::vector{expected})};
  };
  tilelab::draw_picture<sum>({}, outputs, in, out, work, n);
}

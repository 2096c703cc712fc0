// What a submission of the lab `first_kernel` has to do.

#include <cmath>
#include <functional>
#include <sstream>
#include <tuple>
#include <utility>
#include <vector>

#include "judge/lab.h"
#include "patterns.h"
#include "reference.h"

using tilelab::Look;
using tilelab::Output;
using tilelab::Random;
using tilelab::Rule;
using tilelab::Submission;
using tilelab::first_kernel::Problem;

namespace {

Problem random_problem(int n) {
  Random random(static_cast<std::uint64_t>(n));
  const auto size = static_cast<std::size_t>(n);
  Problem p{random.reals(size, -1, 1), random.reals(size, -1, 1)};
  p.a = random.real(2, tilelab::first_kernel::largest_factor);
  p.low = random.real(-1.5f, -0.5f);
  p.high = random.real(0.5f, 1.5f);
  return p;
}

/// The same in another unit.
Problem scaled(Problem p, float unit) {
  for (float& value : p.x) value *= unit;
  for (float& value : p.y) value *= unit;
  p.low *= unit;
  p.high *= unit;
  p.unit = unit;
  return p;
}

bool check_close(const Problem& p, const Output<float>& out, const std::vector<float>& expected,
                 tilelab::first_kernel::Look look) {
  Rule<float> rule;
  // A NaN is not within the tolerance of anything.
  rule.right = [&](float got, float want) {
    return std::abs(double{got} - want) <= tilelab::first_kernel::tolerance * p.unit;
  };
  rule.pattern = [&](const auto& elements) { return look(p, elements); };
  return tilelab::check_elements<float>(out, expected, rule);
}

bool check_saxpy(const Problem& p, const Output<float>& out) {
  return check_close(p, out, saxpy_of(p), tilelab::first_kernel::saxpy_pattern);
}

bool check_clamped(const Problem& p, const Output<float>& out) {
  return check_close(p, out, clamped_saxpy_of(p), tilelab::first_kernel::clamped_pattern);
}

bool check_from_host(const Problem& p, const Output<float>& out) {
  return check_close(p, out, saxpy_of(p), tilelab::first_kernel::from_host_pattern);
}

/// Gives up if saxpy, which saxpy_from_host may call, does not work: its failures would look like
/// those of the copies.
void skip_without_saxpy() {
  const Problem p = random_problem(1025);
  Output<float> out("out", p.x.size());
  Submission().call<saxpy>(p.x, p.y, out, p.a, p.n());
  const std::vector<float> expected = saxpy_of(p);
  for (const Output<float>::Run& run : out.runs()) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (std::abs(double{run.values[i]} - expected[i]) <= tilelab::first_kernel::tolerance)
        continue;
      tilelab::judge::fail_and_stop(
          {"saxpy_from_host was not tested: saxpy, which it may call, is not right yet.",
           "skipped"});
    }
  }
}

void check_saxpy(const Problem& p) {
  INFO("saxpy");
  INFO("n = " << p.n());
  Output<float> out("out", p.x.size());
  Submission().call_for<saxpy>(p.x.size(), p.x, p.y, out, p.a, p.n());
  check_saxpy(p, out);
}

void check_saxpy(int n) { check_saxpy(random_problem(n)); }

void check_clamped(const Problem& p) {
  INFO("saxpy_clamped");
  INFO("n = " << p.n());
  Output<float> out("out", p.x.size());
  Submission().call_for<saxpy_clamped>(p.x.size(), p.x, p.y, out, p.a, p.low, p.high, p.n());
  check_clamped(p, out);
}

void check_clamped(int n) { check_clamped(random_problem(n)); }

void check_from_host(const Problem& p) {
  INFO("saxpy_from_host");
  INFO("n = " << p.n());
  Output<float> out("out", p.x.size());
  Submission().call_for<saxpy_from_host>(p.x.size(), p.x, p.y, out, p.a, p.n());
  check_from_host(p, out);
}

void check_from_host(int n) { check_from_host(random_problem(n)); }

/// Checks problems of a few blocks with any factor, and with large and small elements.
void check_any_numbers(void (*check)(const Problem& p)) {
  Problem p = random_problem(tilelab::draw_size(1'000, 1'200));
  SECTION("any factor") {
    Random random(1);
    const float negative = -random.real(2, tilelab::first_kernel::largest_factor);
    p.a = GENERATE_COPY(0.0f, 1.0f, -1.0f, negative);
  }
  SECTION("large and small elements") { p = scaled(p, GENERATE(0x1p-90f, 0x1p90f)); }
  INFO("a = " << p.a);
  check(p);
}

/// Checks sizes from less than a block to many blocks, and those above constants in the text.
void check_at_sizes(void (*check)(const Problem& p)) {
  SECTION("in any text") { check(random_problem(GENERATE(33, 1, 257, 1025, 65'537, 300'007))); }
  SECTION("above the constants in the text") {
    for (const int n : tilelab::draw_large_sizes(300'007, (1 << 24) + 2)) check(random_problem(n));
  }
  SECTION("whatever the numbers are") { check_any_numbers(check); }
}

/// Has each call of saxpy_from_host fail.
void check_errors(int n) {
  const Problem p = random_problem(n);
  INFO("saxpy_from_host");
  INFO("n = " << n);
  Output<float> out("out", p.x.size());
  tilelab::check_returns_errors<saxpy_from_host>(p.x, p.y, out, p.a, n);
}

/// Has one call of saxpy_from_host fail after earlier ones.
void check_error_after(int earlier, int n) {
  const Problem p = random_problem(n);
  INFO("saxpy_from_host");
  INFO("n = " << n);
  Output<float> out("out", p.x.size());
  tilelab::check_returns_drawn_error<saxpy_from_host>(earlier, p.x, p.y, out, p.a, n);
}

/// Draws a number in [least, most) whose size, not its value, is uniform.
int draw_scale(int least, int most) {
  Random random(static_cast<std::uint64_t>(most));
  const auto low = static_cast<float>(least), high = static_cast<float>(most);
  return static_cast<int>(low * std::pow(high / low, random.real(0, 1)));
}

using CheckSafe = void (*)(int n, Look look);

/// Checks one thread and less than a warp, one block and more, many blocks, and any size.
void check_safe_at_sizes(CheckSafe check_safe) {
  SECTION("in all blocks") {
    const auto [from, to] = GENERATE(table<int, int>({{1, 1}, {33, 63}, {257, 500}, {2500, 3500}}));
    check_safe(tilelab::draw_size(from, to), Look::all_blocks);
  }
  SECTION("at any size") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(80'000))), Look::some_blocks);
  }
}

void check_safe_saxpy(int n, Look look) {
  const Problem p = random_problem(n);
  Output<float> out("out", p.x.size());
  INFO("saxpy");
  INFO("n = " << n);
  const auto check = [&] { return check_saxpy(p, out); };
  tilelab::check_safe<saxpy>(look, check, p.x, p.y, out, p.a, n);
}

void check_safe_clamped(int n, Look look) {
  const Problem p = random_problem(n);
  Output<float> out("out", p.x.size());
  INFO("saxpy_clamped");
  INFO("n = " << n);
  const auto check = [&] { return check_clamped(p, out); };
  tilelab::check_safe<saxpy_clamped>(look, check, p.x, p.y, out, p.a, p.low, p.high, n);
}

void check_safe_from_host(int n, Look look) {
  const Problem p = random_problem(n);
  Output<float> out("out", p.x.size());
  INFO("saxpy_from_host");
  INFO("n = " << n);
  const auto check = [&] { return check_from_host(p, out); };
  tilelab::check_safe<saxpy_from_host>(look, check, p.x, p.y, out, p.a, n);
}

/// Checks that blocks are no smaller than a warp: lanes without a thread have nothing to do.
void check_blocks(const tilelab::judge::Observation& observation) {
  constexpr std::uint64_t warp_size = 32;
  for (const tilelab::report::LaunchReport& launch : observation.report.launches) {
    const std::uint64_t threads = std::uint64_t{launch.block.x} * launch.block.y * launch.block.z;
    if (threads >= warp_size) continue;
    std::ostringstream text;
    text << launch.kernel << " was launched with blocks of " << threads
         << (threads == 1 ? " thread" : " threads")
         << ". A warp runs 32 threads of one block at a time, so here " << warp_size - threads
         << " of its 32 lanes have nothing to do.";
    tilelab::judge::fail_and_stop({text.str(), "small_blocks"});
  }
}

tilelab::ObservedSize draw_observed() {
  return tilelab::draw_observed_size(90'000, 110'000, {.usual = 1 << 19, .most = (1 << 24) + 2});
}

/// Checks the traffic of one function. Each element is loaded once, by neighboring lanes.
template <auto* F, class... A>
void check_traffic(Look look, const std::function<bool()>& check, A&&... arguments) {
  const auto traffic = tilelab::observe_traffic<F>(look, check, arguments...);
  if (!traffic) return;
  check_blocks(traffic->submission());
  traffic->check_at_most(1.1, tilelab::loads_per_element, 1.1);
  traffic->check_at_most(1.1, tilelab::stores_per_element, 1.1);
  traffic->check_at_most(2.4, tilelab::sector_excess, 0.25);
}

}  // namespace

TEST_CASE("saxpy is right for one block and less", "[correctness]") {
  check_saxpy(GENERATE(1, 2, 31, 32, 33));
}

TEST_CASE("saxpy is right one off every block size", "[correctness]") {
  check_saxpy(GENERATE(1025, 127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024));
}

TEST_CASE("saxpy is right over many blocks", "[correctness]") {
  SECTION("in any text") { check_saxpy(GENERATE(65'537, 300'007)); }
  SECTION("at a size that no text tells") {
    const tilelab::judge::LongerCalls longer;
    check_saxpy(tilelab::draw_long_size(1 << 21, (1 << 24) + 2));
  }
  SECTION("beyond what float and 16 bits count") {
    for (const int n : tilelab::sizes_beyond_narrow_counts()) check_saxpy(n);
  }
  SECTION("above the constants in the text") {
    for (const int n : tilelab::draw_large_sizes(300'007, (1 << 24) + 2)) check_saxpy(n);
  }
  SECTION("whatever the numbers are") { check_any_numbers(check_saxpy); }
}

TEST_CASE("saxpy does nothing for empty arrays, and works after it", "[correctness]") {
  check_saxpy(0);
  check_saxpy(100);
}

TEST_CASE("saxpy_clamped is right at every size", "[correctness]") {
  check_at_sizes(check_clamped);
  SECTION("with bounds of any sign") {
    Problem p = random_problem(tilelab::draw_size(1'000, 1'200));
    Random random(2);
    const float least = random.real(0.2f, 0.4f), most = random.real(0.6f, 1);
    SECTION("both positive") { std::tie(p.low, p.high) = std::pair(least, most); }
    SECTION("both negative") { std::tie(p.low, p.high) = std::pair(-most, -least); }
    SECTION("equal") { p.low = p.high = GENERATE(-1.0f, 0.0f, 1.0f) * most; }
    INFO("low, high = " << p.low << ", " << p.high);
    check_clamped(p);
  }
}

TEST_CASE("saxpy_clamped does nothing for empty arrays, and works after it", "[correctness]") {
  check_clamped(0);
  check_clamped(100);
}

TEST_CASE("saxpy_from_host is right at every size", "[correctness]") {
  skip_without_saxpy();
  check_at_sizes(check_from_host);
}

TEST_CASE("saxpy_from_host does nothing for empty arrays, and works after it", "[correctness]") {
  skip_without_saxpy();
  check_from_host(0);
  check_from_host(100);
}

TEST_CASE("saxpy_from_host returns the error of the first call that fails", "[correctness]") {
  SECTION("in any text") {
    // An n that says nothing of the error.
    check_errors(1000 + static_cast<int>(Random(1).below(2000)));
  }
  SECTION("at any size") {
    // The last one is hardly smaller than the largest of all that are tested whatever the text
    // says.
    for (const int n : {draw_scale(1, 1000), draw_scale(3000, 100'000),
                        draw_scale(100'000, 280'000), tilelab::draw_size(280'000, 300'007)}) {
      check_error_after(1, n);
    }
  }
  SECTION("after many calls") {
    const int n = tilelab::draw_size(33, 99);
    check_error_after(draw_scale(2, 60), n);
    check_error_after(draw_scale(60, 200), n);
  }
  SECTION("above the constants in the text") {
    // Each of a dozen errors takes a call.
    for (const int n : tilelab::draw_large_sizes(3000, 1 << 20)) check_errors(n);
  }
}

TEST_CASE("saxpy has no data race and stays within its arrays", "[safety]") {
  check_safe_at_sizes(check_safe_saxpy);
}

TEST_CASE("saxpy_clamped has no data race and stays within its arrays", "[safety]") {
  check_safe_at_sizes(check_safe_clamped);
}

TEST_CASE("saxpy_from_host has no data race, stays within its arrays and frees them", "[safety]") {
  skip_without_saxpy();
  check_safe_at_sizes(check_safe_from_host);
  SECTION("over many calls") {
    const Problem p = random_problem(tilelab::draw_size(33, 99));
    INFO("saxpy_from_host");
    INFO("n = " << p.n());
    Output<float> out("out", p.x.size());
    tilelab::check_leaves_nothing<saxpy_from_host>(p.x, p.y, out, p.a, p.n());
  }
}

TEST_CASE("saxpy uses what its warps move", "[memory]") {
  const auto [n, look] = draw_observed();
  const Problem p = random_problem(n);
  INFO("n = " << n);
  Output<float> out("out", p.x.size());
  check_traffic<saxpy>(
      look, [&] { return check_saxpy(p, out); }, p.x, p.y, out, p.a, p.n());
}

TEST_CASE("saxpy_clamped uses what its warps move", "[memory]") {
  const auto [n, look] = draw_observed();
  const Problem p = random_problem(n);
  INFO("n = " << n);
  Output<float> out("out", p.x.size());
  const auto check = [&] { return check_clamped(p, out); };
  check_traffic<saxpy_clamped>(look, check, p.x, p.y, out, p.a, p.low, p.high, p.n());
}

TEST_CASE("a picture of first_kernel", "[show]") {
  const int n = tilelab::picture_size(10, 1, 1000);
  Problem p = random_problem(n);
  Random random(static_cast<std::uint64_t>(n));
  for (float& value : p.x) value = static_cast<float>(random.below(10));
  for (float& value : p.y) value = static_cast<float>(random.below(10));
  p.a = 2;
  p.low = 5;
  p.high = 20;
  Output<float> out("out", p.x.size());
  // Products and sums of small whole numbers are exact.
  const auto shows = [&](const std::vector<float>& expected) {
    return [&out, expected] { return std::vector{tilelab::pictured_output(out, expected)}; };
  };
  tilelab::draw_picture<saxpy>({}, shows(saxpy_of(p)), p.x, p.y, out, p.a, n);
  tilelab::draw_picture<saxpy_clamped>({}, shows(clamped_saxpy_of(p)), p.x, p.y, out, p.a, p.low,
                                       p.high, n);
}

// What a submission of the lab `histogram` has to do.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "judge/lab.h"
#include "patterns.h"
#include "reference.h"

using tilelab::InOut;
using tilelab::LeastWork;
using tilelab::Look;
using tilelab::Peak;
using tilelab::Random;
using tilelab::Slice;
using tilelab::SpeedProblem;
using tilelab::Submission;
using tilelab::Work;
using tilelab::judge::Cost;
using tilelab::judge::Problem;
using tilelab::reference::byte_values;
using tilelab::reference::Bytes;
using tilelab::reference::Counts;
using tilelab::reference::counts_of;

namespace {

/// A kind of input.
struct Kind {
  const char* name;
  /// Makes the bytes.
  std::function<void(Bytes&, Random&)> draw;
};

unsigned char random_byte(Random& random) { return static_cast<unsigned char>(random.below(256)); }

void draw_uniform(Bytes& bytes, Random& random) {
  random.fill(std::as_writable_bytes(std::span(bytes)));
}

void draw_constant(Bytes& bytes, Random& random) {
  std::fill(bytes.begin(), bytes.end(), random_byte(random));
}

// Nine bytes of ten are the same, the others any.
void draw_skewed(Bytes& bytes, Random& random) {
  draw_uniform(bytes, random);
  const Bytes choices = random.integers<unsigned char>(bytes.size());
  const unsigned char often = random_byte(random);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (choices[i] < 230) bytes[i] = often;
  }
}

void draw_two_values(Bytes& bytes, Random& random) {
  const unsigned char one = random_byte(random);
  for (unsigned char& byte : bytes) byte = one ^ static_cast<unsigned char>(random.below(2));
}

void draw_ramp(Bytes& bytes, Random&) {
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i);
}

// Stretches of equal bytes, of 1 to 40.
void draw_runs(Bytes& bytes, Random& random) {
  for (std::size_t i = 0; i < bytes.size();) {
    const std::size_t end = std::min<std::size_t>(bytes.size(), i + 1 + random.below(40));
    const unsigned char byte = random_byte(random);
    while (i < end) bytes[i++] = byte;
  }
}

void draw_zeros(Bytes& bytes, Random&) { std::fill(bytes.begin(), bytes.end(), 0); }

void draw_largest(Bytes& bytes, Random&) { std::fill(bytes.begin(), bytes.end(), 255); }

const Kind uniform = {"uniform", draw_uniform};
const Kind constant = {"constant", draw_constant};
const Kind skewed = {"skewed", draw_skewed};
const std::vector<Kind> other_kinds = {constant,
                                       skewed,
                                       {"two values", draw_two_values},
                                       {"a ramp", draw_ramp},
                                       {"runs", draw_runs},
                                       {"all 0", draw_zeros},
                                       {"all 255", draw_largest}};

Bytes random_bytes(int n, const Kind& kind = uniform) {
  Bytes bytes(static_cast<std::size_t>(n));
  Random random(bytes.size());
  kind.draw(bytes, random);
  return bytes;
}

/// Counts of earlier calls.
Counts earlier(Random& random) {
  Counts counts(byte_values);
  for (unsigned& count : counts) count = static_cast<unsigned>(random.below(1'000'000));
  return counts;
}

InOut<unsigned> earlier_counts(const Bytes& in) {
  Random random(in.size() + 1);
  return {"counts", earlier(random)};
}

Counts sum_of(Counts counts, const Bytes& in) {
  const Counts more = counts_of(in);
  for (std::size_t v = 0; v < byte_values; ++v) counts[v] += more[v];
  return counts;
}

bool check_counted(const Bytes& in, const InOut<unsigned>& counts) {
  const Counts& before = counts.initial();
  return tilelab::check_equal(counts, sum_of(before, in), [&](const auto& elements) {
    return tilelab::reference::find_pattern(in, before, elements);
  });
}

void check_histogram(const Bytes& in) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  InOut<unsigned> counts = earlier_counts(in);
  Submission().call<histogram>(in, counts, n);
  check_counted(in, counts);
}

/// Calls once for bytes that keep the emulator busy for long.
void check_many(const Bytes& in) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  InOut<unsigned> counts = earlier_counts(in);
  const Counts expected = sum_of(counts.initial(), in);
  const auto is_right = [&] { return counts.runs().front().values == expected; };
  Submission().call_in_any_order<histogram>(is_right, in, counts, n);
  check_counted(in, counts);
}

void check_safe(const Bytes& in, Look look) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  InOut<unsigned> counts = earlier_counts(in);
  const auto check = [&] { return check_counted(in, counts); };
  tilelab::check_safe<histogram>(look, check, in, counts, n);
}

const tilelab::TrafficMetric global_atomics = {
    "global_atomics", "atomic operations on global memory per byte of input",
    [](const Cost& cost) { return cost.kernels.global_atomics.thread_accesses; },
    [](const Problem& problem) { return static_cast<double>(problem.input_bytes); }};

const tilelab::TrafficMetric atomic_conflicts = {"atomic_conflicts", "bank conflicts per 32 bytes",
                                                 tilelab::judge::certain_conflicts,
                                                 tilelab::warps_of_elements};

/// The traffic of uniform bytes, if they are counted right. Equal bytes are no part of it: GPUs
/// have an instruction that adds 1 for all lanes at the same word, whose turns have not been
/// counted yet.
std::optional<tilelab::Traffic> observe() {
  const auto [n, look] =
      tilelab::draw_observed_size(240'000, 260'000, {.usual = 1 << 21, .most = (1 << 24) + 2});
  const Bytes in = random_bytes(n);
  INFO("n = " << n);
  InOut<unsigned> counts = earlier_counts(in);
  const auto check = [&] { return check_counted(in, counts); };
  return tilelab::observe_traffic<histogram>(look, check, in, counts, n);
}

/// Asks that a block counts for itself. One that counts 4 KiB makes 1/16 addition per byte to the
/// counts of all.
void check_global_traffic(const tilelab::Traffic& traffic) {
  traffic.check_at_most(1.25, global_atomics, 0.0625);
  // The additions to the counts may read them.
  traffic.check_at_most(1.0, tilelab::loads_per_element, 1.5);
  traffic.check_at_most(2.4, tilelab::sector_excess, 0.25);
}

/// Bytes of one kind to be timed with.
struct TimedBytes {
  const Kind& kind;
  Bytes in;
  Counts counts = Counts(byte_values);
  Bytes drawn;
  Counts drawn_counts;
  Counts expected;

  TimedBytes(const Kind& kind_, std::size_t most)
      : kind(kind_), in(tilelab::largest_problem(most, 1)) {}

  SpeedProblem problem() {
    return {tilelab::judge::function_of<histogram>(),
            tilelab::judge::arguments_of<histogram>(in, counts, static_cast<int>(in.size())),
            [this](Random& random) {
              kind.draw(in, random);
              const Counts former = earlier(random);
              std::copy(former.begin(), former.end(), counts.begin());
              drawn = in;
              drawn_counts = counts_of(in);
            },
            [this](const Slice& slice) {
              return slice.all<unsigned>(
                  [&](std::size_t v, unsigned got) { return got == expected[v]; });
            },
            [this] { expect(); }};
  }

  // Between two launches few bytes change. To count all of them again would take too long.
  void expect() {
    constexpr std::size_t piece = 64;
    expected = drawn_counts;
    for (std::size_t first = 0; first < in.size(); first += piece) {
      const std::size_t bytes = std::min(piece, in.size() - first);
      if (std::memcmp(&in[first], &drawn[first], bytes) == 0) continue;
      for (std::size_t i = first; i < first + bytes; ++i) {
        --expected[drawn[i]];
        ++expected[in[i]];
      }
    }
    for (std::size_t v = 0; v < byte_values; ++v) expected[v] += counts[v];
  }

  // Each byte comes in once. The counts are nothing next to them.
  LeastWork least_work() const { return {Peak::reads, double(in.size())}; }

  // An addition per byte.
  Work work() const { return {in.size(), double(in.size()), double(in.size())}; }
};

void time_kernels(const Kind& kind, std::size_t n) {
  TimedBytes timed(kind, n);
  const std::string title = std::string(kind.name) + ", n = " + std::to_string(timed.in.size());
  tilelab::benchmark(title, {timed.problem()}, timed.least_work(), timed.work());
}

// More than an L2 cache holds.
constexpr std::size_t graded = std::size_t{1} << 27;
// The simple kernel takes a fifth of a second for as many equal bytes.
constexpr std::size_t largest = std::size_t{1} << 28;

}  // namespace

// The sizes that show best what is wrong come first.
TEST_CASE("histogram is right for a few bytes", "[correctness]") {
  check_histogram(random_bytes(GENERATE(33, 31, 17, 16, 15, 5, 4, 3, 2, 1)));
}

TEST_CASE("histogram is right one off every block size", "[correctness]") {
  check_histogram(random_bytes(
      GENERATE(1025, 511, 127, 128, 129, 255, 256, 257, 513, 1023, 4095, 4096, 4097, 16'385)));
}

TEST_CASE("histogram counts the last bytes, however many they are", "[correctness]") {
  check_histogram(random_bytes(8192 + GENERATE(range(1, 16))));
}

TEST_CASE("histogram is right over many blocks", "[correctness]") {
  SECTION("in any text") { check_many(random_bytes(GENERATE(100'003, 1'000'003))); }
  SECTION("at a size that no text tells") {
    const tilelab::judge::LongerCalls longer;
    check_many(random_bytes(tilelab::draw_long_size(1 << 21, (1 << 24) + 2)));
  }
  SECTION("above the constants in the text") {
    for (const int n : tilelab::draw_large_sizes(1'000'003, (1 << 24) + 2)) {
      check_many(random_bytes(n));
    }
  }
}

TEST_CASE("histogram is right whatever the bytes are", "[correctness]") {
  const Kind& kind = GENERATE_REF(from_range(other_kinds));
  INFO("bytes: " << kind.name);
  check_histogram(random_bytes(10'007, kind));
}

TEST_CASE("histogram counts each value up to n", "[correctness]") {
  SECTION("in any text") { check_many(random_bytes(400'000, constant)); }
  SECTION("beyond what float and 16 bits count") {
    for (const int n : tilelab::sizes_beyond_narrow_counts()) {
      check_many(random_bytes(n, constant));
    }
  }
}

TEST_CASE("histogram of no bytes changes nothing, and the next one is right", "[correctness]") {
  check_histogram({});
  check_histogram(random_bytes(1000));
}

TEST_CASE("histogram has no data race and stays within its arrays", "[safety]") {
  SECTION("in all blocks") {
    const auto [least, most, kind] =
        GENERATE(table<int, int, const Kind*>({{1, 3, &uniform},
                                               {40, 63, &uniform},
                                               {300, 500, &uniform},
                                               {20'000, 21'000, &uniform},
                                               {20'000, 21'000, &constant}}));
    check_safe(random_bytes(tilelab::draw_size(least, most), *kind), Look::all_blocks);
  }
  SECTION("at any size") {
    const int n = GENERATE(from_range(tilelab::draw_sizes(1 << 18)));
    check_safe(random_bytes(n), Look::some_blocks);
  }
}

TEST_CASE("histogram's blocks count for themselves", "[memory]") {
  if (const auto traffic = observe()) check_global_traffic(*traffic);
}

TEST_CASE("histogram's lanes do not wait for each other's banks", "[memory]") {
  const auto traffic = observe();
  if (!traffic) return;
  // A kernel without bins in shared memory has no conflicts there, and nothing to be proud of.
  check_global_traffic(*traffic);
  traffic->check_at_most(1.0, atomic_conflicts, 0.1);
  // Lanes that take turns have no conflicts, and wait as long. Blocks that count 4 KiB each take 5
  // wavefronts, 4 of them to empty a copy of the bins for each lane and to add the copies up.
  traffic->check_at_most(2.6, tilelab::shared_wavefronts);
}

// Uniform bytes suffer from banks, equal bytes from contention. A kernel has to bear both, so a
// launch with each is timed, and their sum counts.
TEST_CASE("histogram is faster than the baseline", "[speed]") {
  TimedBytes any(uniform, graded), equal(constant, graded);
  const LeastWork least = {Peak::reads, any.least_work().amount + equal.least_work().amount};
  tilelab::measure_speed({any.problem(), equal.problem()}, least);
}

TEST_CASE("histogram's ladder is timed", "[bench]") {
  const Kind& kind = GENERATE_REF(uniform, skewed, constant);
  time_kernels(kind, largest);
}

TEST_CASE("histogram is timed against n", "[scaling]") {
  time_kernels(uniform, std::size_t{1} << GENERATE(12, 16, 20, 24, 27));
}

TEST_CASE("the fastest histogram", "[challenge]") {
  TimedBytes timed(uniform, largest);
  tilelab::challenge("n = " + std::to_string(timed.in.size()), {timed.problem()},
                     timed.least_work());
}

TEST_CASE("histogram is right where its time is estimated", "[estimated]") {
  tilelab::check_estimated<histogram>([](const Bytes& in, const auto& counts, int) {
    const Counts expected = sum_of(counts.before(), in);
    counts.check([&](std::size_t v, unsigned got) {
      return tilelab::correction(got == expected[v], expected[v]);
    });
  });
}

TEST_CASE("a picture of histogram", "[show]") {
  const int n = tilelab::picture_size(4, 1, 256);
  Bytes in;
  // Few values, at the beginning of the bins. Of the first four bytes, two are equal.
  for (int i = 0; i < n; ++i) in.push_back(static_cast<unsigned char>(i * (i + 1) / 2 % 5));
  InOut<unsigned> counts("counts", Counts(byte_values));
  const auto outputs = [&] { return std::vector{tilelab::pictured_output(counts, counts_of(in))}; };
  tilelab::draw_picture<histogram>({}, outputs, in, counts, n);
}

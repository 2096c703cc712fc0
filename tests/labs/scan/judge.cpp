// What a submission of the lab `scan` has to do.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
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
using tilelab::judge::Problem;
using tilelab::reference::Row;
using tilelab::reference::scanned;

namespace {

/// The numbers that a call may work with.
std::size_t work_size(std::size_t n) { return n / 16 + 64; }

// Numbers of 32 bits: their sums wrap around, and one that is missing shows.
Row random_row(int n) {
  return Random(static_cast<std::uint64_t>(n)).integers<std::uint32_t>(static_cast<std::size_t>(n));
}

/// Numbers that cancel each other in pairs: the total of each tile of an even size is 0.
Row canceling_row(int n) {
  Row row = random_row(n);
  for (std::size_t i = 1; i < row.size(); i += 2) row[i] = 0 - row[i - 1];
  return row;
}

/// A number and then zeros: it is the sum of each tile and of all before it.
Row row_after(std::uint32_t first, int n) {
  Row row(static_cast<std::size_t>(n));
  row.front() = first;
  return row;
}

bool check_sums(const Row& in, const Output<std::uint32_t>& out) {
  return tilelab::check_equal(out, scanned(in), [&](const auto& elements) {
    return tilelab::reference::find_pattern(in, elements);
  });
}

void check_scan(const Row& in) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  Output<std::uint32_t> out("out", in.size());
  Submission().call<scan>(in, out, Scratch<std::uint32_t>(work_size(in.size())), n);
  check_sums(in, out);
}

/// Checks a row so long that shorter ones show what depends on the order of the threads.
void check_long(const Row& in) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  Output<std::uint32_t> out("out", in.size());
  const Row expected = scanned(in);
  const auto is_right = [&] {
    return std::all_of(out.runs().begin(), out.runs().end(),
                       [&](const auto& run) { return run.values == expected; });
  };
  const Scratch<std::uint32_t> work(work_size(in.size()));
  Submission().call_in_any_order<scan>(is_right, in, out, work, n);
  check_sums(in, out);
}

void check_safe(int n, Look look) {
  const Row in = random_row(n);
  INFO("n = " << n);
  Output<std::uint32_t> out("out", in.size());
  const Scratch<std::uint32_t> work(work_size(in.size()));
  tilelab::check_safe<scan>(
      look, [&] { return check_sums(in, out); }, in, out, work, n);
}

/// The traffic of a row of many tiles, if its sums are right.
std::optional<tilelab::Traffic> observe() {
  const auto [n, look] =
      tilelab::draw_observed_size(120'000, 140'000, {.usual = 1 << 20, .most = (1 << 24) + 2});
  const Row in = random_row(n);
  INFO("n = " << n);
  Output<std::uint32_t> out("out", in.size());
  const Scratch<std::uint32_t> work(work_size(in.size()));
  const auto check = [&] { return check_sums(in, out); };
  return tilelab::observe_traffic<scan>(look, check, in, out, work, n);
}

// A tile may be read twice, or written twice. What the lanes of a warp have in common moves once.
const tilelab::TrafficMetric bytes_moved = {
    "bytes_moved", "bytes moved per element",
    [](const Cost& cost) {
      constexpr std::uint64_t sector = 32;
      const auto& kernels = cost.kernels;
      return sector * (kernels.global_loads.sectors + kernels.global_stores.sectors +
                       kernels.global_atomics.sectors) +
             cost.engine_loads.bytes_requested + cost.engine_stores.bytes_requested;
    },
    [](const Problem& problem) { return double(problem.elements); }};

// Rounds with two buffers take 25 wavefronts per 32 elements, in tiles of 256. A tree without bank
// conflicts takes 12, and shuffles less.
constexpr double wavefronts_allowed = 14;

/// Numbers to be timed with, and their sums.
struct TimedRow {
  Row row, sums;

  explicit TimedRow(std::size_t n) : row(n), sums(n) {}
};

tilelab::SpeedCall call(const TimedRow& in, std::size_t n) {
  const Output<std::uint32_t> out("out", n);
  const Scratch<std::uint32_t> work(work_size(n));
  return tilelab::speed_call<scan>(in.row, out, work, static_cast<int>(n));
}

void draw(TimedRow& in, Random& random) { random.fill(std::as_writable_bytes(std::span(in.row))); }

void expect(TimedRow& in) { tilelab::reference::scan_into(in.row, in.sums); }

bool is_right(const TimedRow& in, const Slice& slice) {
  return slice.all<std::uint32_t>([&](auto i, auto got) { return got == in.sums[i]; });
}

const tilelab::SimpleSpeed<TimedRow> timed{
    .call = call,
    .draw = draw,
    .is_right = is_right,
    // Each element comes in once and goes out once, and takes one addition.
    .work = tilelab::work_per_element(2 * sizeof(std::uint32_t), 1),
    .expect = expect,
    .sizes = {.speed = 1 << 25,
              .bench = {1 << 28},
              .scaling = {1 << 10, 1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28},
              .challenge = 1 << 28}};

}  // namespace

TEST_CASE("scan is right for one tile and less", "[correctness]") {
  check_scan(random_row(GENERATE(1, 2, 3, 7, 31, 32, 33, 100)));
}

TEST_CASE("scan is right one off every tile size", "[correctness]") {
  check_scan(random_row(GENERATE(63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023,
                                 1024, 1025, 2047, 2048, 2049, 4095, 4096, 4097)));
}

TEST_CASE("scan is right for many tiles", "[correctness]") {
  SECTION("of any numbers") {
    check_scan(random_row(GENERATE(4'799, 8'191, 8'193, 16'383, 16'385, 32'769)));
  }
  // No total may stand for one that is not there yet.
  SECTION("whose totals are 0") { check_scan(canceling_row(tilelab::draw_size(16'384, 20'000))); }
  SECTION("whose totals are all the same") {
    const std::uint32_t first = GENERATE(0, 1, 0x7fffffff, 0x80000000, 0xffffffff);
    check_scan(row_after(first, tilelab::draw_size(16'384, 20'000)));
  }
}

TEST_CASE("scan is right for more sums than one block can scan", "[correctness]") {
  SECTION("in any text") { check_long(random_row(GENERATE(65'535, 65'537))); }
  SECTION("at a size that no text tells") {
    const tilelab::judge::LongerCalls longer;
    check_long(random_row(tilelab::draw_size(1 << 21, 2'300'000)));
  }
  SECTION("beyond what float and 16 bits count") {
    for (const int n : tilelab::sizes_beyond_narrow_counts()) check_long(random_row(n));
  }
  SECTION("above the constants in the text") {
    for (const int n : tilelab::draw_large_sizes(1 << 21, (1 << 24) + 2)) {
      check_long(random_row(n));
    }
  }
}

TEST_CASE("scan does nothing for an empty row, and works after it", "[correctness]") {
  check_scan({});
  check_scan(random_row(700));
  check_scan(random_row(600));
}

TEST_CASE("scan wraps around at 2^32", "[correctness]") {
  check_scan(Row(GENERATE(5, 3'000), 0xffffffff));
}

TEST_CASE("scan has no data race and stays within its arrays", "[safety]") {
  SECTION("in all blocks") {
    const auto [from, to] =
        GENERATE(table<int, int>({{1, 2}, {33, 63}, {257, 500}, {2'500, 3'500}, {70'000, 72'000}}));
    check_safe(tilelab::draw_size(from, to), Look::all_blocks);
  }
  SECTION("at any size") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(1 << 18))), Look::some_blocks);
  }
}

TEST_CASE("scan asks little of shared memory", "[memory]") {
  const auto traffic = observe();
  if (!traffic) return;
  // A thread that adds up all elements asks nothing of it, and nothing good of global memory.
  traffic->check_at_most(2.4, tilelab::sector_excess, 0.25);
  traffic->check_at_most(1.0, tilelab::shared_wavefronts, wavefronts_allowed);
}

TEST_CASE("scan reads and writes each element once", "[memory]") {
  const auto traffic = observe();
  if (!traffic) return;
  // The least is 8, and 1.4 more for a warp that looks back from a tile of 256. Sums that come
  // first, in a launch of their own, make it 13.
  traffic->check_at_most(1.0, bytes_moved, 11);
}

TEST_CASE("scan is faster than the baseline", "[speed]") { timed.speed(); }

TEST_CASE("scan's ladder is timed", "[bench]") { timed.bench(); }

TEST_CASE("scan is timed against n", "[scaling]") { timed.scaling(); }

TEST_CASE("the fastest scan", "[challenge]") { timed.challenge(); }

TEST_CASE("scan is right where its time is estimated", "[estimated]") {
  tilelab::check_estimated<scan>([](const Row& in, const auto& out, const auto&, int) {
    const Row expected = scanned(in);
    out.check([&](std::size_t i, std::uint32_t got) {
      return tilelab::correction(got == expected[i], expected[i]);
    });
  });
}

TEST_CASE("a picture of scan", "[show]") {
  const int n = tilelab::picture_size(16, 1, 256);
  Row in;
  for (int i = 1; i <= n; ++i) in.push_back(static_cast<std::uint32_t>(i));
  Output<std::uint32_t> out("out", in.size());
  const Scratch<std::uint32_t> work(work_size(in.size()));
  const auto outputs = [&] { return std::vector{tilelab::pictured_output(out, scanned(in))}; };
  tilelab::draw_picture<scan>({}, outputs, in, out, work, n);
}

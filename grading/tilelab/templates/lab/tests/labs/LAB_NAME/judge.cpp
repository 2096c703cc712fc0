// What a submission of the lab `LAB_NAME` has to do.
// TODO(instructor): try every size at which a block, a tile or a vector load ends, and large ones.

#include <string>
#include <vector>

#include "judge/lab.h"
#include "reference.h"

using tilelab::LeastWork;
using tilelab::Output;
using tilelab::Peak;
using tilelab::Random;
using tilelab::Slice;
using tilelab::SpeedProblem;
using tilelab::Submission;
using tilelab::Work;
using tilelab::reference::factor;
using tilelab::reference::scaled;

namespace {

void check_scaled(const std::vector<float>& in) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  Output<float> out("out", in.size());
  Submission().call<LAB_NAME>(in, out, factor, n);
  tilelab::check_equal(out, scaled(in));
}

std::vector<float> random_row(int n) {
  return Random(static_cast<std::uint64_t>(n)).reals(static_cast<std::size_t>(n), -1.0f, 1.0f);
}

struct TimedRow {
  std::vector<float> in;
  Output<float> out;

  explicit TimedRow(std::size_t n) : in(n), out("out", n) {}

  SpeedProblem problem() {
    return {tilelab::judge::function_of<LAB_NAME>(),
            tilelab::judge::arguments_of<LAB_NAME>(in, out, factor, static_cast<int>(in.size())),
            [this](Random& random) {
              for (float& value : in) value = random.real(-1.0f, 1.0f);
            },
            [this](const Slice& slice) { return is_right(slice); }};
  }

  // Each element comes in once and goes out once.
  LeastWork least_work() const { return {Peak::bytes, 2.0 * sizeof(float) * double(in.size())}; }

  // One product per element.
  Work work() const { return {in.size(), double(in.size()), least_work().amount}; }

  bool is_right(const Slice& slice) const {
    const std::vector<float> got = slice.values<float>();
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (got[k] != factor * in[slice.first + k]) return false;
    }
    return true;
  }
};

void time_kernels(std::size_t n) {
  TimedRow row(tilelab::largest_problem(n, 2 * sizeof(float)));
  tilelab::benchmark("n = " + std::to_string(row.in.size()), {row.problem()}, row.least_work(),
                     row.work());
}

}  // namespace

TEST_CASE("LAB_NAME is right for one block and less", "[correctness]") {
  check_scaled(random_row(GENERATE(1, 2, 31, 32, 33)));
}

TEST_CASE("LAB_NAME is right one off every block size", "[correctness]") {
  check_scaled(random_row(GENERATE(127, 128, 129, 255, 256, 257, 511, 513, 1023, 1024, 1025)));
}

TEST_CASE("LAB_NAME is right over many blocks", "[correctness]") {
  check_scaled(random_row(GENERATE(65'537, 300'007)));
}

TEST_CASE("LAB_NAME does nothing for an empty row, and works after it", "[correctness]") {
  check_scaled({});
  check_scaled(random_row(100));
}

TEST_CASE("LAB_NAME has no data race and stays within its arrays", "[safety]") {
  const auto [from, to] = GENERATE(table<int, int>({{1, 1}, {33, 63}, {257, 500}, {2500, 3500}}));
  const std::vector<float> in = random_row(tilelab::draw_size(from, to));
  const int n = static_cast<int>(in.size());
  Output<float> out("out", in.size());
  const auto check = [&] { return tilelab::check_equal(out, scaled(in)); };
  tilelab::check_safe<LAB_NAME>(check, in, out, factor, n);
}

TEST_CASE("LAB_NAME's warps use what they move", "[memory]") {
  const std::vector<float> in = random_row(tilelab::draw_size(90'000, 110'000));
  const int n = static_cast<int>(in.size());
  Output<float> out("out", in.size());
  const auto check = [&] { return tilelab::check_equal(out, scaled(in)); };
  const auto traffic = tilelab::observe_traffic<LAB_NAME>(check, in, out, factor, n);
  if (!traffic) return;
  traffic->check_at_most(1.25, tilelab::sector_excess, 1.0);
}

// TODO(instructor): numbers that are short enough to be read in a picture.
TEST_CASE("a picture of LAB_NAME", "[show]") {
  const int n = tilelab::picture_size(10, 1, 1000);
  std::vector<float> in;
  for (int i = 0; i < n; ++i) in.push_back(static_cast<float>(i));
  Output<float> out("out", in.size());
  const auto outputs = [&] { return std::vector{tilelab::pictured_output(out, scaled(in))}; };
  tilelab::draw_picture<LAB_NAME>({}, outputs, in, out, factor, n);
}

TEST_CASE("LAB_NAME is faster than the baseline", "[speed]") {
  TimedRow row(tilelab::largest_problem(std::size_t{1} << 28, 2 * sizeof(float)));
  tilelab::measure_speed({row.problem()}, row.least_work());
}

TEST_CASE("LAB_NAME's ladder is timed", "[bench]") { time_kernels(std::size_t{1} << 28); }

TEST_CASE("LAB_NAME is timed against n", "[scaling]") {
  time_kernels(std::size_t{1} << GENERATE(12, 16, 20, 24, 28));
}

TEST_CASE("the fastest LAB_NAME", "[challenge]") {
  TimedRow row(tilelab::largest_problem(std::size_t{1} << 28, 2 * sizeof(float)));
  tilelab::challenge("n = " + std::to_string(row.in.size()), {row.problem()}, row.least_work());
}

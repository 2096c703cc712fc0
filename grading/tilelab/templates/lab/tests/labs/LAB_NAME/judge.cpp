// What a submission of the lab `LAB_NAME` has to do.
// TODO(instructor): try every size at which a block, a tile or a vector load ends, and large ones.

#include <vector>

#include "judge/lab.h"
#include "reference.h"

using tilelab::Look;
using tilelab::observe_traffic;
using tilelab::Output;
using tilelab::Random;
//% if speed
using tilelab::Slice;
//% endif
using tilelab::Submission;
using tilelab::reference::factor;
using tilelab::reference::scaled;

namespace {

using Row = std::vector<ELEMENT>;

// There are no zeros, so that a factor that is forgotten shows in each element.
void draw(Row& row, Random& random) {
  for (ELEMENT& value : row) value = DRAWN_VALUE;
}

Row random_row(int n) {
  Row row(static_cast<std::size_t>(n));
  Random random(row.size());
  draw(row, random);
  return row;
}

void check_scaled(const Row& in) {
  const int n = static_cast<int>(in.size());
  INFO("n = " << n);
  Output<ELEMENT> out("out", in.size());
  Submission().call<LAB_NAME>(in, out, factor, n);
  tilelab::check_equal(out, scaled(in));
}

void check_safe(int n, Look look) {
  const Row in = random_row(n);
  Output<ELEMENT> out("out", in.size());
  const auto check = [&] { return tilelab::check_equal(out, scaled(in)); };
  tilelab::check_safe<LAB_NAME>(look, check, in, out, factor, n);
}

//% if speed
tilelab::SpeedCall call(const Row& in, std::size_t n) {
  const Output<ELEMENT> out("out", n);
  return tilelab::speed_call<LAB_NAME>(in, out, factor, n);
}

bool is_right(const Row& in, const Slice& slice) {
  return slice.all<ELEMENT>([&](auto i, auto got) { return got == factor * in[i]; });
}

// TODO(instructor): what a launch cannot do without: Peak::instructions if it has to compute much.
// Each element comes in once and goes out once, and takes one product.
constexpr std::size_t bytes_per_element = 2 * sizeof(ELEMENT);

const tilelab::SimpleSpeed<Row> timed{
    .call = call,
    .draw = draw,
    .is_right = is_right,
    .work = tilelab::work_per_element(bytes_per_element, 1),
    .sizes = {.speed = 1 << 25,
              .bench = {1 << 28},
              .scaling = {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28},
              .challenge = 1 << 28}};

//% endif
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

TEST_CASE("LAB_NAME does nothing for an empty row", "[correctness]") {
  check_scaled({});
  check_scaled(random_row(100));  // works after it
}

TEST_CASE("LAB_NAME has no data race and no stray access", "[safety]") {
  SECTION("in all blocks") {
    const auto [from, to] = GENERATE(table<int, int>({{1, 1}, {33, 63}, {257, 500}, {2500, 3500}}));
    check_safe(tilelab::draw_size(from, to), Look::all_blocks);
  }
  SECTION("at any size") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(1 << 20))), Look::some_blocks);
  }
}

TEST_CASE("LAB_NAME's warps use what they move", "[memory]") {
  const Row in = random_row(tilelab::draw_size(90'000, 110'000));
  const int n = static_cast<int>(in.size());
  Output<ELEMENT> out("out", in.size());
  const auto check = [&] { return tilelab::check_equal(out, scaled(in)); };
  const auto traffic = observe_traffic<LAB_NAME>(check, in, out, factor, n);
  if (!traffic) return;
  traffic->check_at_most(2.4, tilelab::sector_excess, 0.25);
}

//% if speed
TEST_CASE("LAB_NAME is faster than the baseline", "[speed]") {
  timed.speed();  // the only test of the four that gives points
}

TEST_CASE("LAB_NAME's ladder is timed", "[bench]") { timed.bench(); }

TEST_CASE("LAB_NAME is timed against n", "[scaling]") { timed.scaling(); }

TEST_CASE("the fastest LAB_NAME", "[challenge]") { timed.challenge(); }

//% endif
// TODO(instructor): numbers that are short enough to be read in a picture.
TEST_CASE("a picture of LAB_NAME", "[show]") {
  const int n = tilelab::picture_size(10, 1, 1000);
  Row in;
  for (int i = 0; i < n; ++i) in.push_back(static_cast<ELEMENT>(i));
  Output<ELEMENT> out("out", in.size());
  const auto outputs = [&] { return std::vector{tilelab::pictured_output(out, scaled(in))}; };
  tilelab::draw_picture<LAB_NAME>({}, outputs, in, out, factor, n);
}

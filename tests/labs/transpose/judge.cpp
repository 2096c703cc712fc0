// What a submission of the lab `transpose` has to do.

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <cstdint>
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
using tilelab::Slice;
using tilelab::Submission;
using tilelab::reference::Matrix;
using tilelab::reference::transposed;
using tilelab::reference::transposed_at;

namespace {

/// Rows and columns.
using Size = std::pair<int, int>;

// Numbers in [1, 2), 2^23 of them: what is in the wrong place shows, and no number is 0, which
// memory often holds.
void draw(Matrix& matrix, Random& random) {
  std::vector<std::uint32_t> words = random.integers<std::uint32_t>(matrix.values.size());
  for (std::size_t i = 0; i < words.size(); ++i) {
    matrix.values[i] = 1 + static_cast<float>(words[i] >> 9) * 0x1p-23f;
  }
}

Matrix random_matrix(const Size& size) {
  Matrix matrix(size.first, size.second);
  Random random(static_cast<std::size_t>(size.first) * 1'000'003 +
                static_cast<std::size_t>(size.second));
  draw(matrix, random);
  return matrix;
}

/// A matrix of any numbers, among them zeros of both signs and infinities. None is a NaN.
Matrix special_matrix(const Size& size) {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr float least = std::numeric_limits<float>::denorm_min();
  const std::vector<float> special = {0, -0.0f, infinite, -infinite, least, -1, FLT_MAX, 1e-30f};
  Matrix matrix = random_matrix(size);
  Random random(1);
  for (float& value : matrix.values) {
    const std::uint64_t choice = random.below(2 * special.size());
    if (choice < special.size()) value = special[choice];
  }
  return matrix;
}

bool check_transposed(const Matrix& in, const Output<float>& out) {
  tilelab::Rule<float> rule;
  rule.right = tilelab::judge::equal<float>;
  rule.place = [&](std::size_t i) {
    const auto length = static_cast<std::size_t>(in.rows);
    return "(row=" + std::to_string(i / length) + ", column=" + std::to_string(i % length) + ")";
  };
  rule.pattern = [&](const auto& elements) {
    return tilelab::reference::find_pattern(in, elements);
  };
  return tilelab::check_elements<float>(out, transposed(in), rule);
}

void check_transpose(const Matrix& in) {
  INFO("rows, columns = " << in.rows << ", " << in.columns);
  Output<float> out("out", in.values.size());
  Submission().call_for<transpose>(in.values.size(), in.values, out, in.rows, in.columns);
  check_transposed(in, out);
}

void check_transpose(const Size& size) { check_transpose(random_matrix(size)); }

/// Checks matrices of so many tiles that one order of the threads shows all.
void check_once(const Size& size) {
  const Matrix in = random_matrix(size);
  INFO("rows, columns = " << in.rows << ", " << in.columns);
  Output<float> out("out", in.values.size());
  Submission().call_once<transpose>(in.values, out, in.rows, in.columns);
  check_transposed(in, out);
}

void check_safe(const Size& size, Look look) {
  const Matrix in = random_matrix(size);
  INFO("rows, columns = " << in.rows << ", " << in.columns);
  Output<float> out("out", in.values.size());
  const auto check = [&] { return check_transposed(in, out); };
  tilelab::check_safe<transpose>(look, check, in.values, out, in.rows, in.columns);
}

/// A matrix, and how closely to look at its transpose.
struct Observed {
  Size size;
  Look look;
};

/// The traffic of a matrix, if its transpose is right.
std::optional<tilelab::Traffic> observe(const Observed& observed) {
  const Matrix in = random_matrix(observed.size);
  INFO("rows, columns = " << in.rows << ", " << in.columns);
  Output<float> out("out", in.values.size());
  const auto check = [&] { return check_transposed(in, out); };
  return tilelab::observe_traffic<transpose>(observed.look, check, in.values, out, in.rows,
                                             in.columns);
}

/// Asks that each element comes in once and goes out once, in whole sectors.
void check_global_traffic(const tilelab::Traffic& traffic) {
  traffic.check_at_most(1.1, tilelab::loads_per_element, 1.1);
  traffic.check_at_most(1.1, tilelab::stores_per_element, 1.1);
  // A row whose length is no multiple of 8 starts within a sector, so a warp touches one sector
  // more than it fills. A warp that covers two rows does so twice.
  traffic.check_at_most(2.4, tilelab::sector_excess, 0.25);
}

/// A matrix of this many elements and a few more that is nearly square.
Size near_square(int elements) {
  const int rows = static_cast<int>(std::sqrt(elements));
  return {rows, (elements + rows - 1) / rows};
}

/// Large matrices. A constant in the text may be a number of elements, or the length of a side.
std::vector<Size> draw_large() {
  std::vector<Size> sizes;
  for (const int elements : tilelab::draw_larger_numbers({.usual = 1 << 20, .most = 4'200'000})) {
    sizes.push_back(near_square(elements));
  }
  for (const int side : tilelab::draw_larger_numbers(
           {.usual = 1'102, .most = 2'050, .power = 2, .is_quick = false})) {
    sizes.emplace_back(side, side);
  }
  return sizes;
}

/// Matrices of whole tiles, others, and large ones.
Observed draw_observed() {
  constexpr int tile = 64;
  const bool is_large = GENERATE(false, true);
  if (is_large) return {GENERATE(from_range(draw_large())), Look::some_blocks};
  const bool whole = GENERATE(true, false);
  const Size size = whole ? Size{tile * tilelab::draw_size(4, 5), tile * tilelab::draw_size(3, 4)}
                          // Few enough that `publish` can measure the reference solution at each.
                          : Size{tilelab::draw_size(257, 287), tilelab::draw_size(193, 221)};
  return {size, Look::all_blocks};
}

tilelab::SpeedCall call(const Matrix& in, std::size_t) {
  const Output<float> out("out", in.values.size());
  return tilelab::speed_call<transpose>(in.values, out, in.rows, in.columns);
}

bool is_right(const Matrix& in, const Slice& slice) {
  return slice.all<float>([&](auto i, auto got) { return got == transposed_at(in, i); });
}

// Each element comes in once and goes out once, and nothing is computed.
tilelab::SpeedWork work(std::size_t side) {
  return tilelab::work_per_element(2 * sizeof(float), 0)(side * side);
}

const tilelab::SimpleSpeed<Matrix> timed{
    .call = call,
    .draw = draw,
    .is_right = is_right,
    .work = work,
    .sizes = {
        .speed = 4096, .bench = {8192}, .scaling = {64, 256, 1024, 4096, 8192}, .challenge = 8192}};

// In a square, swapped lengths do no harm: what is wrong is the transpose itself. The first has
// several tiles, so that it shows whether tiles or elements are in the wrong place.
const std::vector<Size> squares_of_tiles = {{64, 64}, {32, 32}, {128, 128}};

// Tiles have 8, 16, 32 or 64 elements in a row.
const std::vector<Size> squares_off_tiles = {{1, 1},   {2, 2},   {7, 7},   {15, 15}, {17, 17},
                                             {31, 31}, {33, 33}, {63, 63}, {65, 65}, {100, 100}};

const std::vector<Size> rectangles = {{32, 64}, {64, 32}, {40, 72}, {31, 65},
                                      {65, 31}, {5, 77},  {77, 5},  {129, 250}};

// A grid has at most 65,535 blocks in y.
const std::vector<Size> thin = {{1, 33}, {33, 1}, {1, 70'001}, {70'001, 1}};

// Neither are there enough blocks of four rows.
const std::vector<Size> thinner = {{1, 262'145}, {262'145, 1}};

const std::vector<Size> large = {{1000, 777}, {513, 1030}};

/// A matrix of about this many elements, which may be square or not.
Size with_elements(int elements) {
  const double ratio = tilelab::draw_size(50, 200) / 100.0;
  const int rows = std::max(1, static_cast<int>(std::sqrt(elements * ratio)));
  return {rows, (elements + rows - 1) / rows};
}

Size square(int side) { return {side, side}; }

Size with_rows(int rows) { return {rows, tilelab::draw_size(3, 30)}; }

Size with_columns(int columns) { return {tilelab::draw_size(3, 30), columns}; }

const std::vector<tilelab::Shape<Size>> shapes = {
    {with_elements, 200'000}, {square, 450, 2}, {with_rows, 8'000}, {with_columns, 8'000}};

const std::vector<tilelab::LargeShape<Size>> large_shapes = {{with_elements, 777'000, 4'200'000},
                                                             {square, 777, 2'050, 2},
                                                             {with_rows, 70'001, 200'000},
                                                             {with_columns, 70'001, 200'000}};

}  // namespace

TEST_CASE("transpose is right for squares of whole tiles", "[correctness]") {
  check_transpose(GENERATE(from_range(squares_of_tiles)));
}

TEST_CASE("transpose is right for squares that tiles do not fill", "[correctness]") {
  check_transpose(GENERATE(from_range(squares_off_tiles)));
}

TEST_CASE("transpose is right for rectangles", "[correctness]") {
  SECTION("of any size") { check_transpose(GENERATE(from_range(rectangles))); }
  SECTION("whatever the elements are") { check_transpose(special_matrix({129, 250})); }
}

TEST_CASE("transpose is right for a single row and a single column", "[correctness]") {
  SECTION("with a few blocks") { check_transpose(GENERATE(from_range(thin))); }
  SECTION("with as many as a grid may have") {
    // Most of each tile is empty, which takes long where a thread has many elements.
    const tilelab::judge::LongerCalls longer;
    check_once(GENERATE(from_range(thinner)));
  }
}

TEST_CASE("transpose is right for large matrices", "[correctness]") {
  SECTION("in any text") { check_transpose(GENERATE(from_range(large))); }
  SECTION("at a size that no text tells") {
    const tilelab::judge::LongerCalls longer;
    check_transpose(with_elements(tilelab::draw_long_size(1 << 21, 4'200'000)));
  }
  SECTION("beyond what float and 16 bits count") {
    // Going along a column misses the cache at each element.
    const tilelab::judge::LongerCalls longer;
    for (const int elements : tilelab::sizes_beyond_narrow_counts()) {
      check_transpose(with_elements(elements));
    }
  }
  SECTION("above the constants in the text") {
    for (const Size& size : tilelab::draw_large_sizes(large_shapes)) check_transpose(size);
  }
}

TEST_CASE("transpose does nothing for an empty matrix, and works after it", "[correctness]") {
  check_transpose(GENERATE(Size{0, 0}, Size{0, 9}, Size{9, 0}));
  check_transpose(Size{9, 11});
}

TEST_CASE("transpose has no data race and stays within its arrays", "[safety]") {
  SECTION("in all blocks") {
    const auto [least, most] = GENERATE(table<int, int>({{1, 2}, {33, 60}, {65, 90}}));
    // Equal ranges would give equal lengths.
    check_safe({tilelab::draw_size(least, most), tilelab::draw_size(least + 2, most + 9)},
               Look::all_blocks);
  }
  SECTION("in vectors that do not fill the tiles") {
    check_safe({4 * tilelab::draw_size(17, 22), 4 * tilelab::draw_size(25, 30)}, Look::all_blocks);
  }
  SECTION("at any size") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(shapes))), Look::some_blocks);
  }
}

TEST_CASE("transpose's warps use the sectors that they move", "[memory]") {
  if (const auto traffic = observe(draw_observed())) check_global_traffic(*traffic);
}

TEST_CASE("transpose's tile spreads its columns over the banks", "[memory]") {
  const auto traffic = observe(draw_observed());
  if (!traffic) return;
  // A kernel without a tile has no bank conflicts, and nothing to be proud of.
  check_global_traffic(*traffic);
  traffic->check_at_most(1.0, tilelab::bank_conflicts, 0.2);
  // An element goes into the tile and comes out.
  traffic->check_at_most(1.4, tilelab::shared_wavefronts, 2.8);
}

TEST_CASE("transpose is faster than the baseline", "[speed]") { timed.speed(); }

TEST_CASE("transpose's ladder is timed", "[bench]") { timed.bench(); }

TEST_CASE("transpose is timed against n", "[scaling]") { timed.scaling(); }

TEST_CASE("the fastest transpose", "[challenge]") { timed.challenge(); }

TEST_CASE("transpose is right where its time is estimated", "[estimated]") {
  tilelab::check_estimated<transpose>([](auto in, const auto& out, int rows, int columns) {
    Matrix matrix(rows, columns);
    matrix.values = std::move(in);
    out.check([&](std::size_t i, float got) {
      const float expected = transposed_at(matrix, i);
      return tilelab::correction(got == expected, expected);
    });
  });
}

TEST_CASE("a picture of transpose", "[show]") {
  // All arrays of a picture have the same rows, so it shows a square.
  const int side = tilelab::picture_size(8, 1, 48);
  const auto length = static_cast<std::size_t>(side);
  const tilelab::Axes axes = {{"column", length, 1}, {"row", length, length}};
  Matrix in(length);
  for (std::size_t i = 0; i < in.values.size(); ++i) in.values[i] = static_cast<float>(i);
  Output<float> out("out", in.values.size());
  const auto outputs = [&] { return std::vector{tilelab::pictured_output(out, transposed(in))}; };
  tilelab::draw_picture<transpose>(axes, outputs, in.values, out, in.rows, in.columns);
}

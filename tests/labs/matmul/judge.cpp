// What a submission of the lab `matmul` has to do.

#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "judge/lab.h"
#include "patterns.h"
#include "reference.h"

using tilelab::LeastWork;
using tilelab::Look;
using tilelab::Output;
using tilelab::Peak;
using tilelab::Random;
using tilelab::Slice;
using tilelab::Submission;
using tilelab::TrafficMetric;
using tilelab::Work;
using tilelab::reference::Bounded;
using tilelab::reference::Factors;
using tilelab::reference::product;
using tilelab::reference::product_at;

namespace {

/// Rows of `a`, columns of `b`, and products in each sum.
struct Size {
  int m, n, k;
};

void draw(Factors& in, Random& random) {
  for (float& element : in.a) element = random.real(-1, 1);
  for (float& element : in.b) element = random.real(-1, 1);
}

Factors random_factors(const Size& size) {
  const auto m = static_cast<std::size_t>(size.m), n = static_cast<std::size_t>(size.n),
             k = static_cast<std::size_t>(size.k);
  Factors factors(m, n, k);
  Random random((m * 1'000'003 + n) * 1'000'003 + k);
  draw(factors, random);
  return factors;
}

/// Makes the rows of `a` and the columns of `b` large or small, each by a power of 2 of its own.
void scale(Factors& in, Random& random) {
  const auto draw_powers = [&](std::size_t count) {
    std::vector<int> powers(count);
    for (int& power : powers) power = static_cast<int>(random.below(61)) - 30;
    return powers;
  };
  const std::vector<int> of_rows = draw_powers(in.m), of_columns = draw_powers(in.n);
  for (std::size_t i = 0; i < in.a.size(); ++i) in.a[i] = std::ldexp(in.a[i], of_rows[i / in.k]);
  for (std::size_t i = 0; i < in.b.size(); ++i) in.b[i] = std::ldexp(in.b[i], of_columns[i % in.n]);
}

/// What `c` should hold.
struct Expected {
  std::vector<Bounded> bounds;
  std::vector<float> values;

  explicit Expected(const Factors& in) : bounds(product(in)) {
    for (const Bounded& bound : bounds) values.push_back(static_cast<float>(bound.value));
  }

  /// Whether an element is right. The tolerance differs from element to element, and the address of
  /// `wanted` tells which one it is.
  bool admits(const float& got, const float& wanted) const {
    return bounds[static_cast<std::size_t>(&wanted - values.data())].admits(got);
  }
};

bool check_product(const Factors& in, const Output<float>& c) {
  const Expected expected(in);
  tilelab::Rule<float> rule;
  rule.right = [&](const float& got, const float& wanted) { return expected.admits(got, wanted); };
  rule.place = [&](std::size_t i) {
    return "(row=" + std::to_string(i / in.n) + ", column=" + std::to_string(i % in.n) + ")";
  };
  rule.pattern = [&](const auto& elements) {
    return tilelab::reference::find_pattern(in, elements);
  };
  return tilelab::check_elements<float>(c, expected.values, rule);
}

void check_matmul(const Factors& in) {
  INFO("m, n, k = " << in.m << ", " << in.n << ", " << in.k);
  Output<float> c("c", in.m * in.n);
  Submission().call<matmul>(in.a, in.b, c, static_cast<int>(in.m), static_cast<int>(in.n),
                            static_cast<int>(in.k));
  check_product(in, c);
}

void check_size(const Size& size) { check_matmul(random_factors(size)); }

/// Checks matrices so large that smaller ones show what depends on the order of the threads.
void check_once(const Size& size) {
  const Factors in = random_factors(size);
  INFO("m, n, k = " << in.m << ", " << in.n << ", " << in.k);
  Output<float> c("c", in.m * in.n);
  Submission().call_once<matmul>(in.a, in.b, c, size.m, size.n, size.k);
  check_product(in, c);
}

void check_safe(const Size& size, Look look) {
  const Factors in = random_factors(size);
  INFO("m, n, k = " << in.m << ", " << in.n << ", " << in.k);
  Output<float> c("c", in.m * in.n);
  const auto check = [&] { return check_product(in, c); };
  tilelab::check_safe<matmul>(look, check, in.a, in.b, c, size.m, size.n, size.k);
}

constexpr int large_tile = 64;
constexpr tilelab::LargerSizes larger_sides = {
    .usual = 249, .most = 640, .power = 3, .multiple = large_tile};

/// The traffic of a product of square matrices, if it is right.
std::optional<tilelab::Traffic> observe(const tilelab::ObservedSize& sides) {
  const Size size = {sides.number, sides.number, sides.number};
  const Factors in = random_factors(size);
  INFO("m, n, k = " << in.m << ", " << in.n << ", " << in.k);
  Output<float> c("c", in.m * in.n);
  const auto check = [&] { return check_product(in, c); };
  return tilelab::observe_traffic<matmul>(sides.look, check, in.a, in.b, c, size.m, size.n, size.k);
}

/// How often blocks of 16 x 16 results load each element of square matrices, and a little more.
double loads_allowed(int side) { return 1.05 * ((side + 15) / 16); }

/// What all warps ask of shared memory, over what they would have to ask if each multiply-add of a
/// warp took one pass. All matrices of the call are squares of the same size.
const TrafficMetric shared_passes = {
    "shared_passes", "passes of shared memory per 32 multiply-adds",
    tilelab::judge::shared_wavefronts, [](const tilelab::judge::Problem& problem) {
      return std::pow(static_cast<double>(problem.elements), 1.5) / 32;
    }};

tilelab::SpeedCall call(const Factors& in, std::size_t n) {
  const Output<float> c("c", in.m * in.n);
  const int side = static_cast<int>(n);
  return tilelab::speed_call<matmul>(in.a, in.b, c, side, side, side);
}

/// Square matrices, and which elements of the product are looked at: a secret.
struct Timed : Factors {
  Random pick;

  explicit Timed(std::size_t side) : Factors(side), pick(side) {}
};

bool is_right(Timed& in, const Slice& slice) {
  const std::vector<float> got = slice.values<float>();
  for (int sample = 0; sample < 16; ++sample) {
    const std::size_t i = in.pick.below(got.size()), place = slice.first + i;
    if (!product_at(in, place / in.n, place % in.n).admits(got[i])) return false;
  }
  return true;
}

// The usual method takes a multiply-add for each row, column and product. Each matrix moves once.
tilelab::SpeedWork work(std::size_t side) {
  const auto n = static_cast<double>(side);
  return {LeastWork{Peak::instructions, n * n * n},
          Work{side * side, 2 * n * n * n, 3 * sizeof(float) * n * n}};
}

const tilelab::SimpleSpeed<Timed> timed{.call = call,
                                        .draw = draw,
                                        .is_right = is_right,
                                        .work = work,
                                        .sizes = {.speed = 2048,
                                                  .bench = {2048, 4096},
                                                  .scaling = {256, 512, 1024, 2048, 4096},
                                                  .challenge = 4096}};

// The first has several tiles of any size, so that it shows which of them are wrong.
const std::vector<Size> squares_of_tiles = {
    {128, 128, 128}, {64, 64, 64}, {32, 32, 32}, {16, 16, 16}};

const std::vector<Size> small = {{1, 1, 1}, {2, 3, 4}, {7, 5, 6}, {15, 17, 16}, {31, 33, 32}};

// One more or less than tiles of 32, 64 and 128, in each direction.
const std::vector<Size> off_tiles = {{127, 129, 65},  {129, 127, 63}, {33, 65, 31},
                                     {65, 31, 33},    {64, 64, 127},  {96, 100, 17},
                                     {100, 260, 132}, {257, 68, 36}};

const std::vector<Size> thin = {{1, 1, 3'001}, {1, 777, 40}, {777, 1, 40}, {200, 300, 1}};

// A grid has at most 65,535 blocks in y, which is too few even for blocks of four rows.
const std::vector<Size> thinner = {{262'145, 1, 2}, {1, 262'145, 2}};

const std::vector<Size> large = {{300, 210, 333}, {256, 128, 512}};

Size cube(int side) { return {side, side, side}; }

/// A product of about this many elements.
Size with_results(int results) {
  const int m = static_cast<int>(std::sqrt(results));
  return {m, (results + m - 1) / m, tilelab::draw_size(10, 40)};
}

Size with_rows(int m) { return {m, tilelab::draw_size(3, 40), tilelab::draw_size(3, 20)}; }

Size with_columns(int n) { return {tilelab::draw_size(3, 40), n, tilelab::draw_size(3, 20)}; }

Size with_products(int k) { return {tilelab::draw_size(3, 40), tilelab::draw_size(3, 20), k}; }

const std::vector<tilelab::Shape<Size>> shapes = {{with_results, 40'000},
                                                  {cube, 160, 3},
                                                  {with_rows, 10'000},
                                                  {with_columns, 10'000},
                                                  {with_products, 4'000}};

const std::vector<tilelab::LargeShape<Size>> large_shapes = {{cube, 300, 606, 3},
                                                             {with_results, 123'000, 1'000'000},
                                                             {with_rows, 70'001, 100'000},
                                                             {with_columns, 70'001, 100'000},
                                                             {with_products, 3'001, 100'000}};

}  // namespace

TEST_CASE("matmul is right for squares of whole tiles", "[correctness]") {
  check_size(GENERATE(from_range(squares_of_tiles)));
}

TEST_CASE("matmul is right for small matrices", "[correctness]") {
  check_size(GENERATE(from_range(small)));
}

TEST_CASE("matmul is right for rectangles that tiles do not fill", "[correctness]") {
  SECTION("of any size") { check_size(GENERATE(from_range(off_tiles))); }
  SECTION("with elements of any magnitude") {
    Factors in = random_factors({96, 100, 17});
    Random random(1);
    scale(in, random);
    check_matmul(in);
  }
}

TEST_CASE("matmul is right for single rows, columns and products", "[correctness]") {
  // Most of each tile is empty, which takes long where a block has many threads.
  const tilelab::judge::LongerCalls longer;
  SECTION("with a few blocks") { check_size(GENERATE(from_range(thin))); }
  SECTION("with as many as a grid may have") { check_once(GENERATE(from_range(thinner))); }
}

TEST_CASE("matmul is right for large matrices", "[correctness]") {
  const tilelab::judge::LongerCalls longer;
  SECTION("in any text") { check_size(GENERATE(from_range(large))); }
  SECTION("above the constants in the text") {
    for (const Size& size : tilelab::draw_large_sizes(large_shapes)) check_once(size);
  }
}

TEST_CASE("matmul keeps infinity in its row and column", "[correctness]") {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Factors in = random_factors({70, 90, 50});
  const std::size_t last = in.k - 1;
  Random random(2);
  SECTION("next to numbers that are not 0") {
    for (float& element : in.b) element = std::abs(element) + 1;
    in.a[1 * in.k] = infinite;
    in.a[68 * in.k + last] = -infinite;
  }
  // What is beyond the end of a sum is no 0 * infinity.
  SECTION("at both ends of a column") {
    in.b[random.below(45)] = infinite;
    in.b[last * in.n + 45 + random.below(45)] = GENERATE_COPY(infinite, nan);
  }
  // Each product of 0 and one of these is a NaN.
  SECTION("next to zeros of a") {
    const std::size_t i = random.below(in.k);
    for (std::size_t row = random.below(5); row < in.m; row += 5) in.a[row * in.k + i] = 0;
    in.b[i * in.n + random.below(in.n)] = GENERATE_COPY(infinite, -infinite, nan);
  }
  SECTION("next to zeros of b") {
    const std::size_t i = random.below(in.k);
    for (std::size_t column = random.below(5); column < in.n; column += 5) {
      in.b[i * in.n + column] = 0;
    }
    in.a[random.below(in.m) * in.k + i] = GENERATE_COPY(infinite, -infinite, nan);
  }
  check_matmul(in);
}

TEST_CASE("matmul does nothing for an empty product, and fills it if there is nothing to add",
          "[correctness]") {
  check_size(
      GENERATE(Size{0, 0, 0}, Size{0, 9, 5}, Size{9, 0, 5}, Size{9, 7, 0}, Size{70, 130, 0}));
  check_size({9, 11, 5});
}

TEST_CASE("matmul has no data race and stays within its arrays", "[safety]") {
  SECTION("in all blocks") {
    const auto [least, most] = GENERATE(table<int, int>({{1, 2}, {17, 30}, {65, 80}}));
    // Equal ranges would give equal lengths.
    check_safe({tilelab::draw_size(least, most), tilelab::draw_size(least + 2, most + 9),
                tilelab::draw_size(least + 1, most + 5)},
               Look::all_blocks);
  }
  SECTION("at any size") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(shapes))), Look::some_blocks);
  }
}

TEST_CASE("matmul loads each element once per block", "[memory]") {
  const tilelab::ObservedSize sides = tilelab::draw_observed_size(130, 190, larger_sides);
  if (const auto traffic = observe(sides)) {
    traffic->check_at_most(1.0, tilelab::loads_per_element, loads_allowed(sides.number));
    // Two or three blocks may add up their parts of a sum.
    traffic->check_at_most(1.0, tilelab::stores_per_element, 4.0);
  }
}

TEST_CASE("matmul's warps use what they move, from global and from shared memory", "[memory]") {
  const tilelab::ObservedSize sides = tilelab::draw_observed_size(2, 3, larger_sides, large_tile);
  const auto traffic = observe(sides);
  if (!traffic) return;
  // A kernel without tiles asks nothing of shared memory, and has nothing to be proud of.
  traffic->check_at_most(1.0, tilelab::loads_per_element, loads_allowed(sides.number));
  traffic->check_at_most(1.0, tilelab::sector_excess, 1.0);
  // Two loads for each multiply-add, and the stores to the tiles.
  traffic->check_at_most(1.0, shared_passes, 2.5);
}

TEST_CASE("matmul is faster than the baseline", "[speed]") { timed.speed(); }

TEST_CASE("matmul's ladder is timed", "[bench]") { timed.bench(); }

TEST_CASE("matmul is timed against n", "[scaling]") { timed.scaling(); }

TEST_CASE("the fastest matmul", "[challenge]") { timed.challenge(); }

TEST_CASE("matmul is right where its time is estimated", "[estimated]") {
  tilelab::check_estimated<matmul>([](auto a, auto b, const auto& c, int m, int n, int k) {
    Factors in(m, n, k);
    in.a = std::move(a);
    in.b = std::move(b);
    constexpr std::size_t drawn = 1024;
    c.check(
        [&](std::size_t i, float got) {
          const Bounded expected = product_at(in, i / in.n, i % in.n);
          return tilelab::correction(expected.admits(got), static_cast<float>(expected.value));
        },
        drawn);
  });
}

TEST_CASE("a picture of matmul", "[show]") {
  // All arrays of a picture have the same rows, so it shows squares.
  const int side = tilelab::picture_size(8, 1, 32);
  const auto length = static_cast<std::size_t>(side);
  const tilelab::Axes axes = {{"column", length, 1}, {"row", length, length}};
  Factors in(length);
  Random random(length);
  for (float& element : in.a) element = static_cast<float>(random.below(10));
  for (float& element : in.b) element = static_cast<float>(random.below(10));
  Output<float> c("c", length * length);
  const Expected expected(in);
  const auto outputs = [&] {
    return std::vector{tilelab::pictured_output<float>(
        c, expected.values,
        [&](const float& got, const float& wanted) { return expected.admits(got, wanted); })};
  };
  tilelab::draw_picture<matmul>(axes, outputs, in.a, in.b, c, side, side, side);
}

// What a submission of the lab `derivatives` has to do.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "judge/lab.h"
#include "patterns.h"
#include "reference.h"

using derivatives::Axis;
using derivatives::Grid;
using derivatives::Problem;
using tilelab::LeastWork;
using tilelab::Look;
using tilelab::Output;
using tilelab::Peak;
using tilelab::Random;
using tilelab::Rule;
using tilelab::Slice;
using tilelab::SpeedProblem;
using tilelab::Submission;
using tilelab::Work;

namespace {

/// Points along x, along the axis of the derivative, and along the third one.
struct Lengths {
  int x, along, across;

  Grid grid(Axis axis) const {
    return axis == Axis::y ? Grid{x, along, across} : Grid{x, across, along};
  }
};

Random random_for(const Grid& grid, Axis axis) {
  return Random(grid.size() * 3 + static_cast<std::size_t>(axis));
}

// A spacing far from 1 shows whether it is used in the wrong place.
float random_spacing(Random& random) { return random.real(0.1f, 0.7f); }

constexpr float largest = 1;

/// A field of uniform noise: every point matters, and the last one does not repeat the first.
Problem random_problem(Axis axis, const Lengths& lengths) {
  const Grid grid = lengths.grid(axis);
  Random random = random_for(grid, axis);
  const float spacing = random_spacing(random);
  return {axis, grid, spacing, random.reals(grid.size(), -largest, largest)};
}

template <auto* F>
void call(const Problem& p, Output<float>& df) {
  const Grid& g = p.grid;
  Submission().call_for<F>(g.size(), p.f, df, g.mx, g.my, g.mz, p.spacing);
}

Output<float> derivative_of(const Problem& p) {
  Output<float> df("df", p.grid.size());
  if (p.axis == Axis::y) {
    call<derivative_y>(p, df);
  } else {
    call<derivative_z>(p, df);
  }
  return df;
}

bool check_close(const Problem& p, const Output<float>& df, const std::vector<float>& expected,
                 double tolerance) {
  Rule<float> rule;
  // A NaN is not within the tolerance of anything.
  rule.right = [=](float got, float want) { return std::abs(double(got) - want) <= tolerance; };
  rule.place = [&](std::size_t i) { return p.grid.place(i); };
  rule.pattern = [&](const auto& elements) {
    return find_pattern(derivatives::Evidence{p, elements, tolerance});
  };
  return tilelab::check_elements<float>(df, expected, rule);
}

bool check_close(const Problem& p, const Output<float>& df) {
  return check_close(p, df, derivative(p), derivatives::tolerance(largest, p.spacing));
}

void check_safe(const Problem& p, Look look) {
  Output<float> df("df", p.grid.size());
  const Grid& g = p.grid;
  INFO("mx, my, mz = " << g.mx << ", " << g.my << ", " << g.mz);
  const auto check = [&] { return check_close(p, df); };
  if (p.axis == Axis::y) {
    tilelab::check_safe<derivative_y>(look, check, p.f, df, g.mx, g.my, g.mz, p.spacing);
  } else {
    tilelab::check_safe<derivative_z>(look, check, p.f, df, g.mx, g.my, g.mz, p.spacing);
  }
}

/// Lengths near those of a field that is larger than a tile in every direction.
Lengths draw_lengths(const Lengths& least, int more_along) {
  return {tilelab::draw_size(least.x, least.x + 8),
          tilelab::draw_size(least.along, least.along + more_along),
          tilelab::draw_size(least.across, least.across + 3)};
}

/// A field of about this many points, which is nearly a cube.
Lengths with_points(int points) {
  const int side = std::max(9, static_cast<int>(std::cbrt(points)));
  return {side, side, std::max(9, (points + side * side - 1) / (side * side))};
}

void check_traffic(Axis axis) {
  const Look look = GENERATE(Look::all_blocks, Look::some_blocks);
  const Lengths lengths =
      look == Look::all_blocks
          ? draw_lengths({68, 129, 31}, 12)
          : with_points(GENERATE(
                from_range(tilelab::draw_larger_numbers({.usual = 450'000, .most = 3'000'000}))));
  const Problem p = random_problem(axis, lengths);
  const Grid& g = p.grid;
  INFO("mx, my, mz = " << g.mx << ", " << g.my << ", " << g.mz);
  Output<float> df("df", g.size());
  const auto check = [&] { return check_close(p, df); };
  const auto traffic = axis == Axis::y ? tilelab::observe_traffic<derivative_y>(
                                             look, check, p.f, df, g.mx, g.my, g.mz, p.spacing)
                                       : tilelab::observe_traffic<derivative_z>(
                                             look, check, p.f, df, g.mx, g.my, g.mz, p.spacing);
  if (!traffic) return;
  // Tiles that are half empty at the grid's edges load a little more per point.
  traffic->check_at_most(1.25, tilelab::loads_per_element);
  traffic->check_at_most(1.1, tilelab::stores_per_element, 1.1);
  traffic->check_at_most(2.4, tilelab::sector_excess, 0.5);
  traffic->check_at_most(1.0, tilelab::bank_conflicts, 0.5);
  // A point goes into the tile once, and comes out eight times.
  traffic->check_at_most(1.0, tilelab::shared_wavefronts, 20);
}

/// A cube of digits. Its planes have x along the columns, and the derivative's axis along the rows.
template <auto* F>
void draw_derivative(Axis axis, int side) {
  constexpr float digits = 10;
  Problem p = random_problem(axis, {side, side, side});
  p.spacing = 1;
  for (float& value : p.f) value = std::floor((value + largest) / (2 * largest) * digits);
  const bool is_y = axis == Axis::y;
  const Axis across = is_y ? Axis::z : Axis::y;
  const std::pair<const char*, Axis> shown[] = {
      {"i", Axis::x}, {is_y ? "j" : "k", axis}, {is_y ? "k" : "j", across}};
  tilelab::Axes axes;
  for (const auto& [name, along] : shown) {
    axes.push_back({name, static_cast<std::size_t>(side), p.grid.stride(along)});
  }
  Output<float> df("df", p.grid.size());
  const std::vector<float> expected = derivative(p);
  const double tolerance = derivatives::tolerance(digits, p.spacing);
  const auto outputs = [&] {
    return std::vector{
        tilelab::pictured_output<float>(df, expected, [&](const float& got, const float& want) {
          return std::abs(double(got) - want) <= tolerance;
        })};
  };
  const Grid& g = p.grid;
  tilelab::draw_picture<F>(axes, outputs, p.f, df, g.mx, g.my, g.mz, p.spacing);
}

void check_derivative(Axis axis, const Lengths& lengths) {
  const Problem p = random_problem(axis, lengths);
  INFO("mx, my, mz = " << p.grid.mx << ", " << p.grid.my << ", " << p.grid.mz);
  check_close(p, derivative_of(p), derivative(p), derivatives::tolerance(largest, p.spacing));
}

/// Checks a field that differs from pencil to pencil, but is constant along each.
void check_constant(Axis axis) {
  constexpr Lengths lengths = {33, 70, 10};
  Problem p = random_problem(axis, lengths);
  INFO("mx, my, mz = " << p.grid.mx << ", " << p.grid.my << ", " << p.grid.mz);
  for (std::size_t i = 0; i < p.f.size(); ++i) {
    p.f[i] = p.f[i - p.grid.coordinate(i, axis) * p.grid.stride(axis)];
  }
  const Output<float> df = derivative_of(p);
  Rule<float> rule;
  rule.right = [](float got, float want) { return got == want; };
  rule.place = [&](std::size_t i) { return p.grid.place(i); };
  const double rounding = derivatives::tolerance(largest, p.spacing);
  rule.pattern = [&](const auto& elements) -> tilelab::judge::Pattern {
    if (!elements.unwritten.empty()) {
      return derivatives::find_unwritten_pattern(p.grid, elements);
    }
    const bool is_rounding =
        elements.all([&](std::size_t, float got, float) { return std::abs(got) <= rounding; });
    if (is_rounding) return {"differences_first", "Only rounding errors are left."};
    return derivatives::find_place_pattern(p, elements);
  };
  const std::vector<float> zeros(p.f.size(), 0.0f);
  // A kernel that writes zeros has not computed them.
  if (tilelab::check_elements<float>(df, zeros, rule)) check_derivative(axis, lengths);
}

/// A sine wave along the axis, with a phase per pencil: the field, and its true derivative.
struct Wave {
  Problem problem;
  std::vector<float> slope;
  double radians_per_point;
};

Wave make_wave(Axis axis, int points_per_wave) {
  constexpr int waves = 5;
  const Lengths lengths{33, waves * points_per_wave + 1, 9};
  Wave wave{random_problem(axis, lengths), {}, 2 * std::numbers::pi / points_per_wave};
  Problem& p = wave.problem;
  const std::vector<float> noise = p.f;
  for (std::size_t i = 0; i < p.f.size(); ++i) {
    const int place = p.grid.coordinate(i, axis);
    const float phase = noise[i - place * p.grid.stride(axis)];
    const double angle = wave.radians_per_point * place + std::numbers::pi * phase;
    p.f[i] = static_cast<float>(std::sin(angle));
    wave.slope.push_back(static_cast<float>(wave.radians_per_point / p.spacing * std::cos(angle)));
  }
  return wave;
}

double root_mean_square(const std::vector<float>& values, const std::vector<float>& minus) {
  double sum = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double error = double(values[i]) - minus[i];
    sum += error * error;
  }
  return std::sqrt(sum / values.size());
}

/// Checks the derivative of a wave and returns its error, relative to the wave's slope. For a sine
/// with w radians per unit of length the error of eighth order is w (w h)^8 / 630, minus terms of
/// tenth order and up; float adds its rounding.
double check_wave(Axis axis, int points_per_wave) {
  const Wave wave = make_wave(axis, points_per_wave);
  const Problem& p = wave.problem;
  const double slope = wave.radians_per_point / p.spacing;
  const double truncation = slope * std::pow(wave.radians_per_point, 8) / 630;
  const Output<float> df = derivative_of(p);
  check_close(p, df, wave.slope, truncation + derivatives::tolerance(largest, p.spacing));
  return root_mean_square(df.runs().front().values, wave.slope) / slope;
}

/// Checks the order of convergence. From 10 to 14 points per wave the formula's own order is 7.84.
/// Rounding changes it by less than 0.1: systematic rounding, of the coefficients, is 1/30 of the
/// error at 14 points, and noise adds in squares. Finer waves would show the rounding, coarser ones
/// the tenth order.
void check_order(Axis axis) {
  constexpr int coarse = 10, fine = 14;
  const double order =
      std::log(check_wave(axis, coarse) / check_wave(axis, fine)) / std::log(double(fine) / coarse);
  // An infinite error is no order's: then the waves themselves were wrong.
  if (!std::isfinite(order) || std::abs(order - 8) <= 0.3) return;
  tilelab::judge::fail({derivatives::sentence("From ", coarse, " to ", fine,
                                              " points per wave the error falls with order ", order,
                                              ", expected 8 +- 0.3."),
                        "convergence"});
}

/// Draws numbers in [-1, 1] from whole words, which is fast: a timed field is large.
void fill(std::vector<float>& values, Random& random) {
  std::vector<std::int32_t> words(values.size());
  random.fill(std::as_writable_bytes(std::span(words)));
  std::transform(words.begin(), words.end(), values.begin(),
                 [](std::int32_t word) { return static_cast<float>(word) * 0x1p-31f; });
}

bool is_right(const Problem& p, const Slice& slice) {
  const std::vector<float> got = slice.values<float>();
  const double tolerance = derivatives::tolerance(largest, p.spacing);
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (!(std::abs(got[i] - derivative_at(p, slice.first + i)) <= tolerance)) return false;
  }
  return true;
}

Lengths with_x(int x) { return {std::max(9, x), 9, 10}; }

Lengths with_along(int along) { return {10, std::max(9, along), 9}; }

Lengths with_across(int across) { return {9, 10, std::max(9, across)}; }

const std::vector<tilelab::Shape<Lengths>> shapes = {
    {with_points, 1 << 18}, {with_x, 3'000}, {with_along, 3'000}, {with_across, 3'000}};

void check_safe_at_sizes(Axis axis) {
  SECTION("in all blocks") {
    const Lengths lengths = GENERATE(Lengths{9, 9, 9}, draw_lengths({33, 66, 9}, 20));
    check_safe(random_problem(axis, lengths), Look::all_blocks);
  }
  SECTION("at any size") {
    const Lengths lengths = GENERATE(from_range(tilelab::draw_sizes(shapes)));
    check_safe(random_problem(axis, lengths), Look::some_blocks);
  }
}

// These are smaller than every tile. In a cube swapped axes still stay within the arrays.
const std::vector<Lengths> smallest = {{9, 9, 9}, {10, 9, 11}, {9, 10, 9}, {12, 17, 10}};

// Tiles have 4, 8, 32 or 64 points in a direction, in the handout and in its source.
const std::vector<Lengths> off_tile_edges = {
    {31, 33, 11}, {32, 64, 9},   {33, 65, 10}, {63, 31, 9},   {64, 32, 10}, {65, 63, 12},
    {67, 70, 9},  {129, 127, 9}, {60, 129, 9}, {255, 17, 10}, {13, 257, 10}};

const std::vector<Lengths> long_and_thin = {{3001, 9, 10}, {10, 3001, 9}, {9, 10, 3001}};

const std::vector<tilelab::LargeShape<Lengths>> large_shapes = {{with_x, 3'001, 30'002},
                                                                {with_along, 3'001, 30'002}};

// A grid has at most 65,535 blocks in y and in z.
const Lengths many_across = {9, 9, 65'540}, many_along = {9, 65'540, 9};

void check_large(Axis axis) {
  SECTION("in any text") { check_derivative(axis, GENERATE(from_range(long_and_thin))); }
  SECTION("above the constants in the text") {
    for (const Lengths& lengths : tilelab::draw_large_sizes(large_shapes)) {
      check_derivative(axis, lengths);
    }
  }
  SECTION("longer than a grid may have blocks") {
    const tilelab::judge::LongerCalls longer;
    check_derivative(axis, many_along);
  }
}

// Neither a plane nor a row of tiles is all there is in the cache.
constexpr int longest_side = 512;

// A grade draws the whole field anew in each round and sends it to each contender, so it is
// smaller. It is still more than an L2 cache holds.
constexpr int graded_side = 256;

/// A cube, or as many of its planes as the GPU has room for.
struct TimedField {
  Problem p;
  Output<float> df;

  explicit TimedField(int side = longest_side)
      : p{Axis::y, largest_grid(side), 0.25f, {}}, df("df", p.grid.size()) {
    p.f.resize(p.grid.size());
  }

  static Grid largest_grid(int side) {
    const std::size_t plane = static_cast<std::size_t>(side) * side;
    const std::size_t points = tilelab::largest_problem(plane * side, 2 * sizeof(float));
    return {side, side, std::max(9, static_cast<int>(points / plane))};
  }

  SpeedProblem along(Axis axis) {
    return {axis == Axis::y ? tilelab::judge::function_of<derivative_y>()
                            : tilelab::judge::function_of<derivative_z>(),
            tilelab::judge::arguments_of<derivative_y>(p.f, df, p.grid.mx, p.grid.my, p.grid.mz,
                                                       p.spacing),
            [this](Random& random) { fill(p.f, random); },
            [this, axis](const Slice& slice) {
              p.axis = axis;
              return is_right(p, slice);
            }};
  }

  // Each point comes in once and goes out once per function.
  LeastWork least_work(int functions) const {
    return {Peak::bytes, 2.0 * sizeof(float) * functions * double(p.grid.size())};
  }

  // One function has, per point, 4 differences of neighbors, 4 products with coefficients, 3 sums
  // and 1 product with the scale.
  Work work() const { return {p.grid.size(), 12.0 * double(p.grid.size()), least_work(1).amount}; }

  std::string size() const {
    return std::to_string(p.grid.mx) + " x " + std::to_string(p.grid.my) + " x " +
           std::to_string(p.grid.mz);
  }
};

void time_kernels(Axis axis, int side = longest_side) {
  TimedField timed(side);
  const std::string title = (axis == Axis::y ? "y, " : "z, ") + timed.size();
  tilelab::benchmark(title, {timed.along(axis)}, timed.least_work(1), timed.work());
}

}  // namespace

TEST_CASE("derivative_y is right on the smallest grids", "[correctness]") {
  check_derivative(Axis::y, GENERATE(from_range(smallest)));
}

TEST_CASE("derivative_z is right on the smallest grids", "[correctness]") {
  check_derivative(Axis::z, GENERATE(from_range(smallest)));
}

TEST_CASE("derivative_y is right on and off the edges of tiles", "[correctness]") {
  check_derivative(Axis::y, GENERATE(from_range(off_tile_edges)));
}

TEST_CASE("derivative_z is right on and off the edges of tiles", "[correctness]") {
  check_derivative(Axis::z, GENERATE(from_range(off_tile_edges)));
}

TEST_CASE("derivative_y is right on long thin grids", "[correctness]") { check_large(Axis::y); }

TEST_CASE("derivative_z is right on long thin grids", "[correctness]") { check_large(Axis::z); }

TEST_CASE("derivative_y is right with more than 65,535 planes", "[correctness]") {
  const tilelab::judge::LongerCalls longer;
  check_derivative(Axis::y, many_across);
}

TEST_CASE("derivative_z is right with more than 65,535 rows", "[correctness]") {
  const tilelab::judge::LongerCalls longer;
  check_derivative(Axis::z, many_across);
}

TEST_CASE("derivative_y of a field that is constant along y is exactly 0", "[correctness]") {
  check_constant(Axis::y);
}

TEST_CASE("derivative_z of a field that is constant along z is exactly 0", "[correctness]") {
  check_constant(Axis::z);
}

TEST_CASE("derivative_y is of eighth order", "[correctness]") { check_order(Axis::y); }

TEST_CASE("derivative_z is of eighth order", "[correctness]") { check_order(Axis::z); }

TEST_CASE("derivative_y has no data race and stays within its arrays", "[safety]") {
  check_safe_at_sizes(Axis::y);
}

TEST_CASE("derivative_z has no data race and stays within its arrays", "[safety]") {
  check_safe_at_sizes(Axis::z);
}

TEST_CASE("derivative_y loads each point only a few times, and its warps use what they move",
          "[memory]") {
  check_traffic(Axis::y);
}

TEST_CASE("derivative_z loads each point only a few times, and its warps use what they move",
          "[memory]") {
  check_traffic(Axis::z);
}

TEST_CASE("the derivatives are right where their time is estimated", "[estimated]") {
  const auto check = [](Axis axis) {
    return [axis](auto f, const auto& df, int mx, int my, int mz, float spacing) {
      const Problem p{axis, {mx, my, mz}, spacing, std::move(f)};
      df.check([&](std::size_t i, float got) {
        const double expected = derivative_at(p, i);
        const bool is_close = std::abs(got - expected) <= derivatives::tolerance(largest, spacing);
        return tilelab::correction(is_close, static_cast<float>(expected));
      });
    };
  };
  tilelab::check_estimated<derivative_y, derivative_z>(check(Axis::y), check(Axis::z));
}

TEST_CASE("a picture of derivatives", "[show]") {
  const int side = tilelab::picture_size(12, 9, 24);
  draw_derivative<derivative_y>(Axis::y, side);
  draw_derivative<derivative_z>(Axis::z, side);
}

TEST_CASE("derivative_y and derivative_z are faster than the baseline", "[speed]") {
  TimedField timed(graded_side);
  tilelab::measure_speed({timed.along(Axis::y), timed.along(Axis::z)}, timed.least_work(2));
}

TEST_CASE("derivative_y's ladder is timed", "[bench]") { time_kernels(Axis::y); }

TEST_CASE("derivative_z's ladder is timed", "[bench]") { time_kernels(Axis::z); }

TEST_CASE("derivative_y is timed against n", "[scaling]") {
  time_kernels(Axis::y, GENERATE(32, 64, 128, 256, 512));
}

TEST_CASE("the fastest derivative_y and derivative_z", "[challenge]") {
  TimedField timed;
  tilelab::challenge("y and z, " + timed.size(), {timed.along(Axis::y), timed.along(Axis::z)},
                     timed.least_work(2));
}

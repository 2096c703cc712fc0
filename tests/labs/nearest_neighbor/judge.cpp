// What a submission of the lab `nearest_neighbor` has to do.

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
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
using tilelab::SpeedProblem;
using tilelab::Submission;
using tilelab::Work;
using tilelab::judge::Pattern;
using tilelab::judge::WrongElements;
using tilelab::nearest::Neighbors;

namespace {

using Points = std::vector<float3>;

enum class Ties {
  exact,   ///< All squared distances are exact in float, so only the lowest index is right.
  rounded  ///< Any point is right that rounding can make the nearest.
};

/// Replaces answers that are as good as the expected one by it. What still differs is wrong.
Output<int> without_near_ties(const Output<int>& nearest, const Points& points,
                              const Neighbors& expected) {
  Output<int> result(nearest.name(), nearest.size());
  for (const Output<int>::Run& run : nearest.runs()) {
    std::vector<int> values = run.values;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const bool right = tilelab::nearest::is_nearest(points, static_cast<int>(i), values[i],
                                                      expected.distance[i]);
      if (right) values[i] = expected.index[i];
    }
    result.add_run(std::as_bytes(std::span(run.before)), std::as_bytes(std::span(values)));
  }
  return result;
}

bool check_result(Output<int> nearest, const Points& points, const Neighbors& expected, Ties ties) {
  if (ties == Ties::rounded) nearest = without_near_ties(nearest, points, expected);

  tilelab::Rule<int> rule{std::equal_to<int>()};
  rule.pattern = [&](const WrongElements<int>& elements) -> Pattern {
    if (!elements.unwritten.empty()) return {};
    return tilelab::nearest::find_pattern({points, expected, elements.got, elements.wrong});
  };
  return tilelab::check_elements<int>(nearest, expected.index, rule);
}

void check_nearest(const Points& points, Ties ties) {
  INFO("n = " << points.size());
  Output<int> nearest("nearest", points.size());
  Submission().call<nearest_neighbor>(points, nearest, static_cast<int>(points.size()));
  check_result(nearest, points, tilelab::nearest::all_pairs(points), ties);
}

/// Whether all runs have the expected answers, or others that are as good.
bool is_right(const Output<int>& nearest, const Points& points, const Neighbors& expected) {
  const Output<int> shown = without_near_ties(nearest, points, expected);
  return std::all_of(shown.runs().begin(), shown.runs().end(),
                     [&](const Output<int>::Run& run) { return run.values == expected.index; });
}

/// Checks where a wrong answer does not depend on the order of the threads, or would in smaller
/// tests as well.
void check_in_any_order(const Points& points) {
  INFO("n = " << points.size());
  Output<int> nearest("nearest", points.size());
  const Neighbors expected = tilelab::nearest::all_pairs(points);
  Submission().call_in_any_order<nearest_neighbor>(
      [&] { return is_right(nearest, points, expected); }, points, nearest,
      static_cast<int>(points.size()));
  check_result(nearest, points, expected, Ties::rounded);
}

float3 random_point(Random& random, float extent) {
  const float x = random.real(-extent, extent), y = random.real(-extent, extent);
  return {x, y, random.real(-extent, extent)};
}

constexpr int cells = 1 << 10;  // of the fine grid, from 0 to 1

/// Points in [-1, 1] on a fine grid: their squared distances are exact in float. Whether rounding
/// changes an answer would depend on the seed; a test of its own looks for that.
Points scattered_points(int n) {
  Random random(static_cast<std::uint64_t>(n));
  const auto coordinate = [&] {
    return static_cast<float>(static_cast<int>(random.below(2 * cells + 1)) - cells) / cells;
  };
  Points points;
  for (int i = 0; i < n; ++i) {
    const float x = coordinate(), y = coordinate();
    points.push_back({x, y, coordinate()});
  }
  return points;
}

/// Makes two points neighbors, a cell apart.
void pair_up(Points& points, int i, int j) {
  points[j] = points[i];
  points[j].x += (points[i].x < 0 ? 1.0f : -1.0f) / cells;
}

/// Scattered points with a few pairs, so that some mistakes do not depend on the seed to show: the
/// last point is another's neighbor, and so are points a whole number of tiles apart.
Points random_points(int n) {
  Points points = scattered_points(n);
  if (n > 3) pair_up(points, 1, n - 1);
  // Neither the first point nor one of an earlier pair belongs to these: they begin at 2, 3, ...
  int first = 2;
  for (const int distance : {32, 64, 128, 256, 512, 1024}) {
    if (first + distance < n - 1) pair_up(points, first, first + distance);
    ++first;
  }
  return points;
}

void check_safe(int n, Look look) {
  const Points points = random_points(n);
  INFO("n = " << n);
  Output<int> nearest("nearest", points.size());
  const auto check = [&] {
    return check_result(nearest, points, tilelab::nearest::all_pairs(points), Ties::rounded);
  };
  tilelab::check_safe<nearest_neighbor>(look, check, points, nearest, n);
}

constexpr int warp_size = 32;
constexpr tilelab::LargerSizes larger_numbers = {
    .usual = 36 * warp_size, .most = 4'800, .power = 2, .is_quick = false, .multiple = warp_size};

/// The traffic of whole warps: a few lanes that load the same point use a small part of a sector.
std::optional<tilelab::Traffic> observe_search(int n, Look look) {
  const Points points = random_points(n);
  INFO("n = " << points.size());
  Output<int> nearest("nearest", points.size());
  const auto check = [&] {
    return check_result(nearest, points, tilelab::nearest::all_pairs(points), Ties::rounded);
  };
  return tilelab::observe_traffic<nearest_neighbor>(look, check, points, nearest,
                                                    static_cast<int>(points.size()));
}

/// What all warps ask of shared memory.
const tilelab::TrafficMetric shared_passes = {
    "shared_passes", "passes of shared memory per 32 pairs", tilelab::judge::shared_wavefronts,
    tilelab::warps_of_pairs};

void shuffle(Points& points, Random& random) {
  for (std::size_t i = points.size(); i > 1; --i) {
    std::swap(points[i - 1], points[random.below(i)]);
  }
}

/// A point with whole coordinates in [0, end). Squared distances between such points are exact.
float3 whole_point(Random& random, std::uint64_t end) {
  const float x = static_cast<float>(random.below(end)), y = static_cast<float>(random.below(end));
  return {x, y, static_cast<float>(random.below(end))};
}

/// Pairs of neighbors that are almost as far from each other as a float can tell, and much farther
/// from all others.
Points pairs_far_apart(Random& random) {
  Points points;
  for (int i = 0; i < 70; ++i) {
    const float x = 1e25f * static_cast<float>(i), y = random.real(1e19f, 1.8e19f);
    points.insert(points.end(), {{x, 0, 0}, {x, y, 0}});
  }
  // 1.8e19 squared is 3.2e38, and the largest float is 3.4e38.
  points[1].y = 1.8e19f;
  shuffle(points, random);
  return points;
}

/// Pairs of points at the places that a kernel may think far from all: powers of ten and the
/// largest float.
Points points_in_far_places(Random& random) {
  std::vector<float> places = {FLT_MAX};
  for (int power = 3; power <= 38; ++power) {
    places.push_back(static_cast<float>(std::pow(10.0, power)));
  }
  Points points;
  for (const float place : places) {
    for (const float x : {place, -place}) {
      const float next = x * (1 - 0x1p-20f);
      points.insert(points.end(), {{x, x, x}, {next, next, next}, {x, 0, 0}, {next, 0, 0}});
    }
  }
  shuffle(points, random);
  return points;
}

/// The problem that times a search among `timed.points`.
template <class Timed>
SpeedProblem timed_search(Timed& timed) {
  return {tilelab::judge::function_of<nearest_neighbor>(),
          tilelab::judge::arguments_of<nearest_neighbor>(timed.points, timed.nearest,
                                                         static_cast<int>(timed.points.size())),
          [&timed](Random& random) { timed.draw(random); },
          [&timed](const Slice& slice) { return timed.is_right(slice); }};
}

struct TimedPoints {
  Points points;
  std::optional<tilelab::nearest::Search> search;  // made when a result is checked
  Output<int> nearest;

  explicit TimedPoints(int n)
      : points(static_cast<std::size_t>(n)), nearest("nearest", points.size()) {}

  SpeedProblem problem() { return timed_search(*this); }

  // A kernel that computes each pair once needs 3 multiply-adds and 1 sum for the distance, and
  // half a minimum of three numbers for each of the two points. That is 5 for a pair, and there are
  // half as many pairs as places (i, j).
  LeastWork least_work() const {
    const double n = double(points.size());
    return {Peak::instructions, 2.5 * n * n};
  }

  // Each place (i, j) takes 3 subtractions, 3 products and 2 sums; comparisons do not count. Each
  // point comes in once, and an index goes out.
  Work work() const {
    const double n = double(points.size());
    return {points.size(), 8 * n * n, (sizeof(float3) + sizeof(int)) * n};
  }

  // In a long box the right answers are found fast enough to check every timed launch.
  void draw(Random& random) {
    for (float3& point : points) {
      point = random_point(random, 1);
      point.x *= 16;
    }
    search.reset();
  }

  bool is_right(const Slice& slice) {
    if (!search) search.emplace(points);
    const std::vector<int> got = slice.values<int>();
    for (std::size_t k = 0; k < got.size(); ++k) {
      const std::size_t i = slice.first + k;
      const int own = static_cast<int>(i);
      if (!tilelab::nearest::is_nearest(points, own, got[k], search->least_distance(i)))
        return false;
    }
    return true;
  }
};

/// So many points that trying all pairs takes too long.
struct ManyPoints {
  enum class Shape { box, clusters };

  Shape shape;
  Points points;
  Output<int> nearest;
  Random pick;

  explicit ManyPoints(Shape drawn)
      : shape(drawn), points(1'000'000), nearest("nearest", points.size()), pick(points.size()) {}

  SpeedProblem problem() { return timed_search(*this); }

  // Each point comes in once, and an index goes out.
  LeastWork least_work() const {
    return {Peak::bytes, double(sizeof(float3) + sizeof(int)) * double(points.size())};
  }

  void draw(Random& random) {
    if (shape == Shape::box) {
      for (float3& point : points) point = random_point(random, 1);
      return;
    }
    // There are a thousand clusters, each a thousandth as wide as the box, so most of it is empty.
    Points centers(1'000);
    for (float3& center : centers) center = random_point(random, 1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      const float3& center = centers[i % centers.size()];
      const float3 offset = random_point(random, 0.001f);
      points[i] = {center.x + offset.x, center.y + offset.y, center.z + offset.z};
    }
  }

  // The true nearest point is computed for a few points only, and the choice is secret.
  bool is_right(const Slice& slice) {
    const std::vector<int> got = slice.values<int>();
    const auto names_another = [&](std::size_t k) {
      return got[k] >= 0 && static_cast<std::size_t>(got[k]) < points.size() &&
             static_cast<std::size_t>(got[k]) != slice.first + k;
    };
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (!names_another(k)) return false;
    }
    for (int sample = 0; sample < 4; ++sample) {
      const std::size_t k = pick.below(got.size());
      const int own = static_cast<int>(slice.first + k);
      const double least = tilelab::nearest::neighbor_of(points, slice.first + k).distance;
      if (!tilelab::nearest::is_nearest(points, own, got[k], least)) return false;
    }
    return true;
  }
};

void time_kernels(int n) {
  TimedPoints timed(n);
  tilelab::benchmark("n = " + std::to_string(n), {timed.problem()}, timed.least_work(),
                     timed.work());
}

}  // namespace

TEST_CASE("nearest_neighbor is right for one block and less", "[correctness]") {
  check_nearest(random_points(GENERATE(2, 3, 10, 31, 32, 33, 100)), Ties::rounded);
}

TEST_CASE("nearest_neighbor is right one off every block size", "[correctness]") {
  check_nearest(
      random_points(GENERATE(127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025)),
      Ties::rounded);
}

TEST_CASE("nearest_neighbor is right over many tiles", "[correctness]") {
  const tilelab::judge::LongerCalls longer;
  SECTION("in any text") {
    // The number is odd, so no tile and no group divides it.
    check_in_any_order(random_points(4'799));
  }
  SECTION("above the constants in the text") {
    for (const int n : tilelab::draw_large_sizes(4'799, 10'002, 2)) {
      check_in_any_order(random_points(n));
    }
  }
}

TEST_CASE("nearest_neighbor takes the lowest index of equally near points", "[correctness]") {
  Random random(1);
  Points points;
  SECTION("on a grid, each with up to six neighbors at the same distance") {
    for (int i = 0; i < 9 * 10 * 11; ++i) {
      points.push_back(
          {static_cast<float>(i % 9), static_cast<float>(i / 9 % 10), static_cast<float>(i / 90)});
    }
    shuffle(points, random);
  }
  SECTION("with many points at the same place") {
    for (int i = 0; i < 1'333; ++i) points.push_back(whole_point(random, 8));
  }
  SECTION("with all points at the same place") { points.assign(777, whole_point(random, 1'000)); }
  check_nearest(points, Ties::exact);
}

TEST_CASE("nearest_neighbor has no answer for a single point, and nothing to do for none",
          "[correctness]") {
  check_nearest({}, Ties::rounded);
  check_nearest(random_points(1), Ties::rounded);
  check_nearest(random_points(2), Ties::rounded);
  // Up to here the answers do not depend on the points.
  check_nearest(random_points(50), Ties::rounded);
}

TEST_CASE("nearest_neighbor is right wherever the points lie", "[correctness]") {
  Random random(2);
  Points points;
  SECTION("in clusters far apart") {
    Points centers;
    for (int c = 0; c < 20; ++c) centers.push_back(random_point(random, 1'000));
    for (int i = 0; i < 900; ++i) {
      const float3 center = centers[random.below(centers.size())];
      const float3 offset = random_point(random, 0.01f);
      points.push_back({center.x + offset.x, center.y + offset.y, center.z + offset.z});
    }
  }
  SECTION("on a line") {
    const float3 direction = random_point(random, 1);
    for (int i = 0; i < 900; ++i) {
      const float t = random.real(-10, 10);
      points.push_back({t * direction.x, t * direction.y, t * direction.z});
    }
  }
  SECTION("on a line along z") {
    for (int i = 0; i < 900; ++i) points.push_back({2, 3, random.real(-10, 10)});
  }
  SECTION("far from the origin") {
    for (int i = 0; i < 900; ++i) {
      const float3 offset = random_point(random, 1);
      points.push_back({10'000 + offset.x, offset.y - 5'000, offset.z + 20'000});
    }
  }
  SECTION("far from each other") {
    // The largest squared distance is 1.2e37, which a float holds.
    for (int i = 0; i < 300; ++i) points.push_back(random_point(random, 1e18f));
  }
  SECTION("as far from each other as a float can tell") { points = pairs_far_apart(random); }
  SECTION("close to each other") {
    // The least squared distance that is not 0 is 3e-30.
    for (int i = 0; i < 300; ++i) {
      const float3 point = whole_point(random, 1'000);
      points.push_back({point.x * 0x1p-49f, point.y * 0x1p-49f, point.z * 0x1p-49f});
    }
  }
  SECTION("in places far off") { points = points_in_far_places(random); }
  SECTION("in two halves, each point's neighbor in the other") {
    for (int i = 0; i < 700; ++i) points.push_back(random_point(random, 1));
    for (int i = 0; i < 700; ++i) {
      const float3 twin = points[i];
      points.push_back({twin.x, twin.y + 1e-3f, twin.z});
    }
  }
  check_in_any_order(points);
}

TEST_CASE("nearest_neighbor leaves out points at no finite distance", "[correctness]") {
  constexpr float infinite = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  Random random(3);
  Points points;
  SECTION("a few among others") {
    points = random_points(600);
    points[random.below(100)].x = nan;
    points[100 + random.below(100)].y = infinite;
    points[200 + random.below(100)].z = -infinite;
    points[300 + random.below(100)].x = 1e30f;  // its squared distances overflow
    points[0].z = nan;
    points[599].y = nan;
  }
  SECTION("almost all") {
    points.assign(300, {nan, 0, 0});
    points[random.below(150)] = random_point(random, 1);
    points[150 + random.below(150)] = random_point(random, 1);
  }
  SECTION("all, each too far from the others") {
    for (int i = 0; i < 140; ++i) points.push_back({1e25f * static_cast<float>(i), 0, 0});
    shuffle(points, random);
  }
  check_nearest(points, Ties::rounded);
}

TEST_CASE("nearest_neighbor has no data race and stays within its arrays", "[safety]") {
  SECTION("in all blocks") {
    const auto [from, to] = GENERATE(table<int, int>({{1, 1}, {33, 63}, {257, 300}, {600, 750}}));
    check_safe(tilelab::draw_size(from, to), Look::all_blocks);
  }
  SECTION("at any size") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(900, 2))), Look::some_blocks);
  }
}

TEST_CASE("nearest_neighbor loads each point once per block", "[memory]") {
  const auto [n, look] = tilelab::draw_observed_size(33, 36, larger_numbers, warp_size);
  const auto traffic = observe_search(n, look);
  if (!traffic) return;
  // Blocks of half the size load twice as much, which is still good. Kernels that compare a few
  // points again load somewhat more, how much depends on the compiler.
  traffic->check_at_most(2.75, tilelab::loads_per_element);
}

TEST_CASE("nearest_neighbor's warps use what they move, without bank conflicts", "[memory]") {
  // Kernels that keep candidates count them by an atomic operation, which waits more if there are
  // many.
  const auto traffic = observe_search(warp_size * tilelab::draw_size(33, 36), Look::all_blocks);
  if (!traffic) return;
  // Loading the coordinates of a point one by one touches each sector three times.
  traffic->check_at_most(2.4, tilelab::sector_excess, 9);
  traffic->check_at_most(1.0, tilelab::bank_conflicts, 50);
  // Lanes that take turns have no conflicts, and wait as long: 32 passes. Lanes that all read the
  // same point take one, three if it comes number by number, and twice as many to read it again.
  traffic->check_at_most(2.0, shared_passes, 12);
}

TEST_CASE("nearest_neighbor is right where its time is estimated", "[estimated]") {
  tilelab::check_estimated<nearest_neighbor>([](const Points& points, const auto& nearest, int) {
    constexpr std::size_t drawn = 1024;
    nearest.check(
        [&](std::size_t i, int got) {
          const auto [expected, least] = tilelab::nearest::neighbor_of(points, i);
          return tilelab::correction(
              tilelab::nearest::is_nearest(points, static_cast<int>(i), got, least), expected);
        },
        drawn);
  });
}

TEST_CASE("a picture of nearest_neighbor", "[show]") {
  const int n = tilelab::picture_size(10, 1, 200);
  Random random(static_cast<std::uint64_t>(n));
  Points points;
  for (int i = 0; i < n; ++i) points.push_back(whole_point(random, 10));
  Output<int> nearest("nearest", points.size());
  const Neighbors expected = tilelab::nearest::all_pairs(points);
  tilelab::draw_picture<nearest_neighbor>(
      {}, [&] { return std::vector{tilelab::pictured_output(nearest, expected.index)}; }, points,
      nearest, n);
}

TEST_CASE("nearest_neighbor is faster than the baseline", "[speed]") {
  TimedPoints timed(1 << 17);
  tilelab::measure_speed({timed.problem()}, timed.least_work());
}

TEST_CASE("nearest_neighbor's ladder is timed", "[bench]") {
  time_kernels(GENERATE(10'240, 1 << 17));
}

TEST_CASE("nearest_neighbor is timed against n", "[scaling]") {
  time_kernels(1 << GENERATE(10, 12, 14, 16, 18));
}

TEST_CASE("the fastest nearest_neighbor, by any algorithm", "[challenge]") {
  ManyPoints many(ManyPoints::Shape::box);
  tilelab::challenge("1,000,000 points", {many.problem()}, many.least_work());
}

TEST_CASE("the fastest nearest_neighbor in clusters", "[challenge]") {
  ManyPoints many(ManyPoints::Shape::clusters);
  tilelab::challenge("1,000,000 points in clusters", {many.problem()}, many.least_work());
}

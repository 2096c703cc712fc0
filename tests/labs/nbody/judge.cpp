// What a submission of the lab `nbody` has to do.

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "judge/lab.h"
#include "patterns.h"
#include "reference.h"

using nbody::Bodies;
using nbody::Bounded;
using nbody::Step;
using nbody::Vector;
using tilelab::LeastWork;
using tilelab::Look;
using tilelab::Output;
using tilelab::Peak;
using tilelab::Random;
using tilelab::Rule;
using tilelab::Slice;
using tilelab::Submission;
using tilelab::Work;
using tilelab::judge::Differences;
using tilelab::judge::Pattern;
using tilelab::judge::WrongElements;

namespace {

float4 random_vector(Random& random, float w) {
  return {random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), w};
}

void draw_arrays(Bodies& bodies, Random& random) {
  // The total mass, and with it the acceleration, hardly depends on n.
  const float heaviest = 4.0f / static_cast<float>(bodies.count() + 1);
  for (float4& p : bodies.position) {
    p = random_vector(random, random.real(0.1f * heaviest, heaviest));
  }
  for (float4& v : bodies.velocity) v = random_vector(random, random.real(-1, 1));
}

/// A cloud of n bodies.
Bodies random_bodies(std::size_t n) {
  Random random(n);
  Bodies bodies;
  bodies.position.resize(n);
  bodies.velocity.resize(n);
  draw_arrays(bodies, random);
  bodies.dt = random.real(0.1f, 0.5f);
  bodies.softening = random.real(0.1f, 0.3f);
  return bodies;
}

struct Outputs {
  Output<float4> position, velocity;

  explicit Outputs(std::size_t n) : position("next_position", n), velocity("next_velocity", n) {}
};

Outputs take_step(const Bodies& bodies) {
  Outputs next(bodies.count());
  Submission().call<nbody_step>(bodies.position, bodies.velocity, next.position, next.velocity,
                                bodies.dt, bodies.softening, static_cast<int>(bodies.count()));
  return next;
}

/// One expected element: a bounded vector, and a w that has to be exact.
struct Expected {
  std::vector<float4> values;
  std::vector<Bounded> bounds;

  void add(const Bounded& bound, float w) {
    values.push_back(nbody::with_w(bound.value, w));
    bounds.push_back(bound);
  }

  bool admits(std::size_t i, const float4& got) const {
    return bounds[i].admits(got) && got.w == values[i].w;
  }

  bool admits(const Output<float4>& output) const {
    for (const auto& run : output.runs()) {
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!admits(i, run.values[i])) return false;
      }
    }
    return true;
  }
};

/// Whether exactly the last elements are wrong. With fewer than a warp of others that means
/// nothing.
bool are_last(const Differences& differences) {
  const std::size_t others = differences.size - differences.wrong.size();
  return others >= 32 && differences.wrong.front() == others;
}

using Diagnosis = std::function<Pattern(const nbody::Evidence&)>;

bool check(const Output<float4>& output, const Expected& expected, const Bodies& bodies,
           const Diagnosis& diagnose) {
  Rule<float4> rule;
  // The tolerance differs from element to element. The address of `wanted` tells which one it is.
  rule.right = [&](const float4& got, const float4& wanted) {
    return expected.admits(static_cast<std::size_t>(&wanted - expected.values.data()), got);
  };
  rule.pattern = [&](const WrongElements<float4>& elements) {
    // If bodies have no thread, or the last block is wrong, the general patterns explain it best.
    if (!elements.unwritten.empty() || are_last(elements)) return Pattern{};
    return diagnose({bodies, elements});
  };
  return tilelab::check_elements<float4>(output, expected.values, rule);
}

/// What both outputs should hold: positions, then velocities.
std::pair<Expected, Expected> expected_step(const Bodies& bodies) {
  Expected position, velocity;
  for (std::size_t i = 0; i < bodies.count(); ++i) {
    const Step step = nbody::step_of(bodies, i);
    velocity.add(step.velocity, bodies.velocity[i].w);
    position.add(step.position, bodies.position[i].w);
  }
  return {position, velocity};
}

/// A wrong velocity makes the position wrong too, so the velocity is checked first.
bool check_step(const Bodies& bodies, const Outputs& next,
                const std::pair<Expected, Expected>& expected) {
  INFO("n = " << bodies.count());
  const auto& [position, velocity] = expected;
  return check(next.velocity, velocity, bodies, nbody::diagnose_velocity) &&
         check(next.position, position, bodies, nbody::diagnose_position);
}

bool check_step(const Bodies& bodies, const Outputs& next) {
  return check_step(bodies, next, expected_step(bodies));
}

void check_safe(int n, Look look) {
  const Bodies bodies = random_bodies(static_cast<std::size_t>(n));
  Outputs next(bodies.count());
  const auto check = [&] { return check_step(bodies, next); };
  tilelab::check_safe<nbody_step>(look, check, bodies.position, bodies.velocity, next.position,
                                  next.velocity, bodies.dt, bodies.softening, n);
}

constexpr int warp_size = 32;
constexpr tilelab::LargerSizes larger_numbers = {
    .usual = 2'300, .most = 6'000, .power = 2, .is_quick = false, .multiple = warp_size};

std::optional<tilelab::Traffic> observe_step(const tilelab::ObservedSize& drawn) {
  const Bodies bodies = random_bodies(static_cast<std::size_t>(drawn.number));
  INFO("n = " << drawn.number);
  Outputs next(bodies.count());
  const auto check = [&] { return check_step(bodies, next); };
  return tilelab::observe_traffic<nbody_step>(drawn.look, check, bodies.position, bodies.velocity,
                                              next.position, next.velocity, bodies.dt,
                                              bodies.softening, drawn.number);
}

/// What all warps ask of shared memory.
const tilelab::TrafficMetric shared_passes = {
    "shared_passes", "passes of shared memory per 32 pairs", tilelab::judge::shared_wavefronts,
    tilelab::warps_of_pairs};

/// Bodies whose numbers are short enough to be read in a picture.
Bodies whole_bodies(std::size_t n) {
  Random random(n);
  const auto draw = [&] { return static_cast<float>(random.below(19)) - 9; };
  Bodies bodies;
  for (std::size_t i = 0; i < n; ++i) {
    const float x = draw(), y = draw(), z = draw();
    bodies.position.push_back({x, y, z, static_cast<float>(1 + random.below(9))});
    bodies.velocity.push_back({0, 0, 0, 0});
  }
  bodies.dt = 1;
  bodies.softening = 1;
  return bodies;
}

tilelab::schema::PicturedOutput pictured(const Output<float4>& output, const Expected& expected) {
  // The address of `wanted` tells which tolerance counts.
  return tilelab::pictured_output<float4>(
      output, expected.values, [&](const float4& got, const float4& wanted) {
        return expected.admits(static_cast<std::size_t>(&wanted - expected.values.data()), got);
      });
}

void check_bodies(const Bodies& bodies) { check_step(bodies, take_step(bodies)); }

/// Checks a step of so many bodies that smaller tests show what depends on the order of threads.
void check_many(const Bodies& bodies) {
  Outputs next(bodies.count());
  const auto expected = expected_step(bodies);
  Submission().call_in_any_order<nbody_step>(
      [&] { return expected.first.admits(next.position) && expected.second.admits(next.velocity); },
      bodies.position, bodies.velocity, next.position, next.velocity, bodies.dt, bodies.softening,
      static_cast<int>(bodies.count()));
  check_step(bodies, next, expected);
}

/// What a body's element should be, nothing if `got` is right.
std::optional<float4> correction(const Bounded& expected, float w, const float4& got) {
  return tilelab::correction(expected.admits(got) && got.w == w, nbody::with_w(expected.value, w));
}

struct TimedBodies {
  Bodies bodies;
  Random pick;

  explicit TimedBodies(std::size_t n) : bodies(random_bodies(n)), pick(n) {}

  bool is_right(const Slice& slice) {
    const bool is_position = slice.name == "next_position";
    const std::vector<float4> got = slice.values<float4>();
    const std::vector<float4>& before = is_position ? bodies.position : bodies.velocity;
    for (std::size_t k = 0; k < got.size(); ++k) {
      if (got[k].w != before[slice.first + k].w) return false;
    }
    // The sum is computed for a few bodies only, and the choice is secret.
    for (int sample = 0; sample < 4; ++sample) {
      const std::size_t k = pick.below(got.size());
      const Step step = nbody::step_of(bodies, slice.first + k);
      if (!(is_position ? step.position : step.velocity).admits(got[k])) return false;
    }
    return true;
  }
};

tilelab::SpeedWork work_of_step(std::size_t bodies) {
  const double n = double(bodies);
  // A kernel that computes each pair once needs 3 subtractions, 3 multiply-adds for the square, the
  // inverse root, 2 multiplications for its cube, and for each of the two bodies 1 for the mass and
  // 3 multiply-adds. That is 17 for a pair, and there are half as many pairs as places (i, j).
  const LeastWork least{Peak::instructions, 8.5 * n * n};
  // The usual count is 20 operations for each place (i, j): 3 subtractions, 6 for the square, 2 for
  // the inverse root, 3 for its cube and the mass, 6 for the sum. Position and velocity come in and
  // go out.
  return {least, Work{bodies, 20 * n * n, 4 * sizeof(float4) * n}};
}

const tilelab::SimpleSpeed<TimedBodies> timed_step{
    .call =
        [](auto& timed, auto n) {
          const Outputs next(n);
          const Bodies& now = timed.bodies;
          return tilelab::speed_call<nbody_step>(now.position, now.velocity, next.position,
                                                 next.velocity, now.dt, now.softening, n);
        },
    .draw = [](auto& timed, Random& random) { draw_arrays(timed.bodies, random); },
    .is_right = [](auto& timed, const Slice& slice) { return timed.is_right(slice); },
    .work = work_of_step,
    .sizes = {.speed = 1 << 16,
              .bench = {1 << 14, 1 << 17},
              .scaling = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18},
              .challenge = 1 << 17}};

}  // namespace

TEST_CASE("nbody_step is right for one block and less", "[correctness]") {
  check_bodies(random_bodies(GENERATE(1, 2, 3, 31, 32, 33, 100)));
}

TEST_CASE("nbody_step is right one off every block size", "[correctness]") {
  check_bodies(random_bodies(GENERATE(127, 128, 129, 255, 256, 257, 511, 513, 1023, 1025)));
}

TEST_CASE("nbody_step is right over many blocks", "[correctness]") {
  const tilelab::judge::LongerCalls longer;
  SECTION("in any text") {
    // No tile divides this number, and the last tile is neither nearly empty nor nearly full.
    check_many(random_bodies(3'703));
  }
  SECTION("above the constants in the text") {
    for (const int n : tilelab::draw_large_sizes(3'703, 10'002, 2)) check_many(random_bodies(n));
  }
}

TEST_CASE("nbody_step handles masses of 0 and below, and time that runs backward",
          "[correctness]") {
  Bodies bodies = random_bodies(300);
  Random random(0);
  for (float4& p : bodies.position) p.w *= static_cast<float>(random.below(3)) - 1;
  bodies.dt = -bodies.dt;
  check_bodies(bodies);
}

TEST_CASE("nbody_step lets bodies share a place", "[correctness]") {
  Bodies bodies = random_bodies(301);
  for (std::size_t i = 0; i + 3 < bodies.count(); i += 3) {
    float4& twin = bodies.position[i + 3];
    twin = {bodies.position[i].x, bodies.position[i].y, bodies.position[i].z, twin.w};
  }
  bodies.softening = 1e-6f;
  check_bodies(bodies);
}

TEST_CASE("nbody_step keeps the momentum", "[correctness]") {
  const Bodies bodies = random_bodies(400);
  const Outputs next = take_step(bodies);
  const std::vector<Step> steps = nbody::steps_of(bodies);
  for (const auto& run : next.velocity.runs()) {
    // What body i does to body j, body j does to body i. So the changes of m * v add up to zero, up
    // to the tolerance of each velocity.
    Vector change{}, tolerance{};
    for (std::size_t i = 0; i < bodies.count(); ++i) {
      const Vector before = nbody::xyz(bodies.velocity[i]), after = nbody::xyz(run.values[i]);
      for (std::size_t c = 0; c < 3; ++c) {
        change[c] += bodies.position[i].w * (after[c] - before[c]);
        tolerance[c] += bodies.position[i].w * steps[i].velocity.tolerance[c];
      }
    }
    for (std::size_t c = 0; c < 3; ++c) {
      if (std::abs(change[c]) <= tolerance[c]) continue;
      std::ostringstream text;
      text << "The sum of mass * velocity over all " << bodies.count() << " bodies changes by "
           << change[c] << " in "
           << "xyz"[c] << "; rounding explains only " << tolerance[c] << ".";
      tilelab::judge::fail({text.str(), "momentum"});
      return;
    }
  }
  // Bodies that do not move keep it too.
  check_step(bodies, next);
}

TEST_CASE("nbody_step does not depend on where the origin is", "[correctness]") {
  Bodies bodies = random_bodies(270);
  // With 10 binary digits after the point, coordinates can be shifted without rounding.
  for (float4& p : bodies.position) {
    for (float* x : {&p.x, &p.y, &p.z}) *x = std::round(1024 * *x) / 1024;
  }
  Bodies shifted = bodies;
  for (float4& p : shifted.position) p = {p.x + 1024, p.y - 2048, p.z + 512, p.w};

  const Outputs next = take_step(bodies), next_shifted = take_step(shifted);
  Expected expected;
  for (std::size_t i = 0; i < bodies.count(); ++i) {
    Bounded velocity = nbody::step_of(bodies, i).velocity;
    velocity.value = nbody::xyz(next.velocity.runs().front().values[i]);
    for (double& tolerance : velocity.tolerance) tolerance *= 2;  // both calls round
    expected.add(velocity, bodies.velocity[i].w);
  }
  {
    INFO("all bodies shifted by (1024, -2048, 512)");
    const auto diagnose = [](const auto&) {
      return Pattern{"origin",
                     "The same bodies, moved to another place, get different velocities."};
    };
    if (!check(next_shifted.velocity, expected, bodies, diagnose)) return;
  }
  // Velocities that do not change depend on nothing.
  check_step(bodies, next);
}

TEST_CASE("nbody_step can be called step after step", "[correctness]") {
  Bodies bodies = random_bodies(260);
  for (int step = 0; step < 3; ++step) {
    INFO("step " << step);
    const Outputs next = take_step(bodies);
    if (!check_step(bodies, next)) return;
    bodies.position = next.position.runs().front().values;
    bodies.velocity = next.velocity.runs().front().values;
    bodies.dt /= 2;
    bodies.softening *= 2;
  }
}

TEST_CASE("nbody_step does nothing for no bodies, and works after it", "[correctness]") {
  check_bodies(random_bodies(0));
  check_bodies(random_bodies(50));
}

TEST_CASE("nbody_step has no data race and stays within its arrays", "[safety]") {
  SECTION("in all blocks") {
    const auto [from, to] = GENERATE(table<int, int>({{1, 1}, {33, 63}, {257, 300}, {600, 750}}));
    check_safe(tilelab::draw_size(from, to), Look::all_blocks);
  }
  SECTION("at any size") {
    check_safe(GENERATE(from_range(tilelab::draw_sizes(1'200, 2))), Look::some_blocks);
  }
}

TEST_CASE("nbody_step loads each body once per block", "[memory]") {
  const auto traffic = observe_step(tilelab::draw_observed_size(2'050, 2'300, larger_numbers));
  if (!traffic) return;
  // Blocks of half the size load twice as much, which is still good.
  traffic->check_at_most(2.1, tilelab::loads_per_element);
  // Several threads may add up their parts of a sum.
  traffic->check_at_most(1.0, tilelab::stores_per_element, 4.0);
}

TEST_CASE("nbody_step's warps use what they move, without bank conflicts", "[memory]") {
  // Whole warps: a few lanes that load the same body use half a sector.
  const auto traffic = observe_step(tilelab::draw_observed_size(33, 40, larger_numbers, warp_size));
  if (!traffic) return;
  traffic->check_at_most(2.4, tilelab::sector_excess, 0.25);
  traffic->check_at_most(1.0, tilelab::bank_conflicts, 50);
  // Lanes that take turns have no conflicts, and wait as long: 32 passes. Lanes that all read the
  // same body take one, four if it comes number by number, and four if each reads another one.
  traffic->check_at_most(2.0, shared_passes, 12);
}

TEST_CASE("nbody_step is right where its time is estimated", "[estimated]") {
  tilelab::check_estimated<nbody_step>([](auto position, auto velocity, const auto& next_position,
                                          const auto& next_velocity, float dt, float softening,
                                          int) {
    const Bodies bodies{std::move(position), std::move(velocity), dt, softening};
    constexpr std::size_t drawn = 256;
    next_velocity.check(
        [&](std::size_t i, const float4& got) {
          return correction(nbody::step_of(bodies, i).velocity, bodies.velocity[i].w, got);
        },
        drawn);
    next_position.check(
        [&](std::size_t i, const float4& got) {
          return correction(nbody::step_of(bodies, i).position, bodies.position[i].w, got);
        },
        drawn);
  });
}

TEST_CASE("a picture of nbody", "[show]") {
  const Bodies bodies = whole_bodies(static_cast<std::size_t>(tilelab::picture_size(10, 1, 200)));
  Outputs next(bodies.count());
  const auto expected = expected_step(bodies);
  const auto outputs = [&] {
    return std::vector{pictured(next.position, expected.first),
                       pictured(next.velocity, expected.second)};
  };
  tilelab::draw_picture<nbody_step>({}, outputs, bodies.position, bodies.velocity, next.position,
                                    next.velocity, bodies.dt, bodies.softening,
                                    static_cast<int>(bodies.count()));
}

TEST_CASE("nbody_step is faster than the baseline", "[speed]") { timed_step.speed(); }

TEST_CASE("nbody_step's ladder is timed", "[bench]") { timed_step.bench(); }

TEST_CASE("nbody_step is timed against n", "[scaling]") { timed_step.scaling(); }

TEST_CASE("the fastest nbody_step", "[challenge]") { timed_step.challenge(); }

#pragma once

#include <vector_types.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

/// The lab's time step in float64, and how far off a float32 kernel may be.
namespace nbody {

struct Bodies {
  std::vector<float4> position, velocity;
  float dt = 0, softening = 0;

  std::size_t count() const { return position.size(); }
};

using Vector = std::array<double, 3>;

inline Vector xyz(const float4& v) { return {v.x, v.y, v.z}; }

inline float4 with_w(const Vector& v, float w) {
  return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2]), w};
}

/// A sum of vectors, and the sum of their magnitudes by component.
struct Sum {
  Vector value{}, magnitude{};

  void add(const Vector& r, double factor) {
    for (std::size_t c = 0; c < 3; ++c) {
      value[c] += factor * r[c];
      magnitude[c] += std::abs(factor * r[c]);
    }
  }
};

inline double squared(double x) { return x * x; }

/// The vector r from body i to body j.
inline Vector between(const Bodies& bodies, std::size_t i, std::size_t j) {
  const Vector from = xyz(bodies.position[i]), to = xyz(bodies.position[j]);
  return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}

inline double length_squared(const Vector& r) {
  return squared(r[0]) + squared(r[1]) + squared(r[2]);
}

/// The sum over all bodies j of factor(j, |r|^2) * r.
template <class Factor>
Sum sum_over_bodies(const Bodies& bodies, std::size_t i, const Factor& factor) {
  Sum sum;
  for (std::size_t j = 0; j < bodies.count(); ++j) {
    const Vector r = between(bodies, i, j);
    sum.add(r, factor(j, length_squared(r)));
  }
  return sum;
}

/// What body j adds to an acceleration per unit of r.
inline double pull_of(const Bodies& bodies, std::size_t j, double distance_squared) {
  const double softened = distance_squared + squared(bodies.softening);
  return bodies.position[j].w / (softened * std::sqrt(softened));
}

inline Sum acceleration(const Bodies& bodies, std::size_t i) {
  return sum_over_bodies(bodies, i, [&](std::size_t j, double distance_squared) {
    return pull_of(bodies, j, distance_squared);
  });
}

/// A vector, and how far off each of its components may be.
struct Bounded {
  Vector value, tolerance;

  /// Whether a vector is within the tolerance. A NaN is not.
  bool admits(const float4& got) const {
    const Vector components = xyz(got);
    for (std::size_t c = 0; c < 3; ++c) {
      if (!(std::abs(components[c] - value[c]) <= tolerance[c])) return false;
    }
    return true;
  }
};

struct Step {
  Bounded velocity, position;
};

/// Half the distance from 1 to the next float: one rounding changes a number by at most this share.
constexpr double rounding = 0x1p-24;

/// Counts the roundings in one term of the sum. The difference r has 1 in each component, so its
/// square has 2; squaring, adding up and softening make it 6. The inverse root halves that and adds
/// the 4 of rsqrtf's 2 ulp: 7. The cube has three times as many, and the products with each other,
/// with the mass and with r add 5: 26. Some room makes 32.
constexpr double roundings_per_term = 32;

/// Adding n terms in any order rounds n partial sums, none of which exceeds the sum of magnitudes.
/// A rounding error can have either sign, so the sum of n errors grows like sqrt(n). An error that
/// is uniform over the rounding interval has a standard deviation of 1/sqrt(3) of the largest, so
/// four times the root is seven standard deviations.
inline double roundings_of_sum(std::size_t n) { return 4 * std::sqrt(static_cast<double>(n)); }

/// Advances `now` by one step with this slope. That takes at most four roundings, with the one of
/// the expected result.
inline Bounded advance(const Vector& now, const Bounded& slope, const Vector& slope_magnitude,
                       double dt) {
  Bounded next;
  for (std::size_t c = 0; c < 3; ++c) {
    next.value[c] = now[c] + dt * slope.value[c];
    next.tolerance[c] = std::abs(dt) * slope.tolerance[c] +
                        4 * rounding * (std::abs(now[c]) + std::abs(dt) * slope_magnitude[c]);
  }
  return next;
}

/// The new state of body i if its acceleration were `sum`.
inline Step step_with(const Bodies& bodies, std::size_t i, const Sum& sum) {
  const double share = rounding * (roundings_per_term + roundings_of_sum(bodies.count()));
  Bounded slope{sum.value, sum.magnitude};
  for (double& tolerance : slope.tolerance) tolerance *= share;

  Step step;
  step.velocity = advance(xyz(bodies.velocity[i]), slope, sum.magnitude, bodies.dt);
  Vector speed = step.velocity.value;
  for (double& component : speed) component = std::abs(component);
  step.position = advance(xyz(bodies.position[i]), step.velocity, speed, bodies.dt);
  return step;
}

inline Step step_of(const Bodies& bodies, std::size_t i) {
  return step_with(bodies, i, acceleration(bodies, i));
}

inline std::vector<Step> steps_of(const Bodies& bodies) {
  std::vector<Step> steps;
  for (std::size_t i = 0; i < bodies.count(); ++i) steps.push_back(step_of(bodies, i));
  return steps;
}

}  // namespace nbody

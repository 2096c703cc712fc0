#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "judge/checks/check.h"
#include "reference.h"

/// Finds out what a wrong step has computed instead. It compares the step with what the usual
/// mistakes would compute from the same bodies.
namespace nbody {

using tilelab::judge::Pattern;
using tilelab::judge::WrongElements;

/// An output with some wrong elements.
struct Evidence {
  const Bodies& bodies;
  std::span<const float4> got;
  std::vector<std::size_t> wrong;  ///< The indices of a few wrong elements.

  Evidence(const Bodies& bodies_, const WrongElements<float4>& elements)
      : bodies(bodies_), got(elements.got) {
    constexpr std::size_t enough = 5;
    const std::size_t stride = (elements.wrong.size() + enough - 1) / enough;
    for (std::size_t k = 0; k < elements.wrong.size(); k += stride) {
      wrong.push_back(elements.wrong[k]);
    }
  }

  bool all(const std::function<bool(std::size_t)>& explained) const {
    return std::all_of(wrong.begin(), wrong.end(), explained);
  }

  bool all_have_velocity(const std::function<Sum(std::size_t)>& sum) const {
    return all([&](std::size_t i) { return step_with(bodies, i, sum(i)).velocity.admits(got[i]); });
  }

  bool not_a_number() const {
    return all([&](std::size_t i) {
      return std::isnan(got[i].x) || std::isnan(got[i].y) || std::isnan(got[i].z);
    });
  }
};

inline Sum scaled(Sum sum, double factor) {
  for (double& component : sum.value) component *= factor;
  for (double& component : sum.magnitude) component *= std::abs(factor);
  return sum;
}

/// A suspicion about the sum of pulls: body i gets factor(i, j, |r|^2) * r from body j.
struct WrongPull {
  const char* id;
  const char* sentence;
  std::function<double(std::size_t i, std::size_t j, double distance_squared)> factor;
};

inline std::vector<WrongPull> wrong_pulls(const Bodies& b) {
  const auto root_of = [&b](double d2) { return std::sqrt(d2 + squared(b.softening)); };
  const auto mass = [&b](std::size_t j) { return static_cast<double>(b.position[j].w); };
  return {
      {"mass_ignored", "The masses do not count: all bodies pull as if their mass were 1.",
       [=](auto, auto, double d2) { return 1 / std::pow(root_of(d2), 3); }},
      {"own_mass", "Each pull uses the mass of the body that is pulled, not of the one that pulls.",
       [=](auto i, auto, double d2) { return mass(i) / std::pow(root_of(d2), 3); }},
      {"softening_not_squared", "The softening itself is added, not its square.",
       [=, &b](auto, auto j, double d2) { return mass(j) / std::pow(d2 + b.softening, 1.5); }},
      {"softening_forgotten", "It is the result without softening.",
       [=](auto i, auto j, double d2) { return i == j ? 0 : mass(j) / std::pow(d2, 1.5); }},
      {"power", "The pull falls off like r / |r|: the inverse root appears once instead of cubed.",
       [=](auto, auto j, double d2) { return mass(j) / root_of(d2); }},
      {"power", "The pull falls off like r / |r|^2: the inverse root is squared instead of cubed.",
       [=](auto, auto j, double d2) { return mass(j) / squared(root_of(d2)); }},
  };
}

/// The bodies with a last tile that is filled with bodies of some mass.
inline Bodies filled_up(Bodies bodies, std::size_t block, float mass) {
  const std::size_t tiles = (bodies.count() + block - 1) / block;
  bodies.position.resize(tiles * block, float4{0, 0, 0, mass});
  return bodies;
}

/// Whether all wrong velocities are those that this pull of these bodies explains.
inline bool explains(const WrongPull& suspicion, const Bodies& bodies, const Evidence& evidence) {
  return evidence.all([&](std::size_t i) {
    const Sum sum = sum_over_bodies(bodies, i, [&](std::size_t j, double distance_squared) {
      return suspicion.factor(i, j, distance_squared);
    });
    return step_with(bodies, i, sum).velocity.admits(evidence.got[i]);
  });
}

inline WrongPull right_pull(const Bodies& b) {
  return {"padding_pulls",
          "The slots of the last tile that have no body pull as if each had one of mass 1 at the "
          "origin.",
          [&b](auto, auto j, double d2) {
            return static_cast<double>(b.position[j].w) /
                   std::pow(std::sqrt(d2 + squared(b.softening)), 3);
          }};
}

inline Pattern find_wrong_pull(const Evidence& evidence) {
  for (const std::size_t block : {1, 32, 64, 128, 256, 512, 1024}) {
    const Bodies heavy = filled_up(evidence.bodies, block, 1);
    const WrongPull of_padding = right_pull(heavy);
    const bool pads = explains(of_padding, heavy, evidence);
    // Bodies of mass 0 matter to a kernel that ignores the mass.
    const Bodies bodies = filled_up(evidence.bodies, block, 0);
    for (const WrongPull& suspicion : wrong_pulls(bodies)) {
      if (!explains(suspicion, bodies, evidence)) continue;
      if (pads && std::string_view(suspicion.id) == "mass_ignored") {
        return {suspicion.id,
                "The masses do not count, or the slots of the last tile that have no "
                "body have mass 1."};
      }
      return {suspicion.id, suspicion.sentence};
    }
    if (pads) return {of_padding.id, of_padding.sentence};
  }
  return {};
}

/// Looks for a sum that is multiplied by one factor too many.
inline Pattern find_wrong_factor(const Evidence& evidence) {
  const double dt = evidence.bodies.dt;
  const struct {
    double factor;
    const char *id, *sentence;
  } suspicions[] = {
      {0, "no_pull", "The velocity has not changed: no pull was added."},
      {-1, "repulsion", "The bodies push each other away: r points from body i to body j."},
      {2, "counted_twice", "The acceleration is twice what it should be."},
      {1 / dt, "dt_forgotten", "The acceleration is added without the factor dt."},
      {dt, "dt_twice", "The acceleration is multiplied by dt twice."},
  };
  for (const auto& suspicion : suspicions) {
    if (evidence.all_have_velocity([&](std::size_t i) {
          return scaled(acceleration(evidence.bodies, i), suspicion.factor);
        })) {
      return {suspicion.id, suspicion.sentence};
    }
  }
  return {};
}

/// For each count: whether the bodies 0 ... count - 1 alone explain the velocity of body i.
inline std::vector<bool> possible_counts(const Evidence& evidence, std::size_t i) {
  const Bodies& bodies = evidence.bodies;
  std::vector<bool> possible;
  Sum sum;
  for (std::size_t count = 0; count < bodies.count(); ++count) {
    possible.push_back(step_with(bodies, i, sum).velocity.admits(evidence.got[i]));
    const Vector r = between(bodies, i, count);
    sum.add(r, pull_of(bodies, count, length_squared(r)));
  }
  return possible;
}

inline Pattern find_missing_bodies(const Evidence& evidence) {
  std::vector<bool> possible(evidence.bodies.count(), true);
  for (const std::size_t i : evidence.wrong) {
    const std::vector<bool> here = possible_counts(evidence, i);
    for (std::size_t k = 0; k < possible.size(); ++k) possible[k] = possible[k] && here[k];
  }
  const auto found = std::find(possible.begin(), possible.end(), true);
  if (found == possible.end()) return {};
  std::ostringstream text;
  text << "Only the first " << found - possible.begin() << " of " << evidence.bodies.count()
       << " bodies pull: the others are left out of the sum.";
  return {"bodies_missing", text.str()};
}

/// A suspicion about tiles of `block` bodies: body j counts weight(i, j) times for body i.
struct WrongTiles {
  const char *id, *sentence;
  std::function<double(std::size_t i, std::size_t j)> weight;
};

inline std::vector<WrongTiles> wrong_tiles(std::size_t n, std::size_t block) {
  const std::size_t last_tile = n / block * block;
  const std::size_t tiles = (n + block - 1) / block;
  return {
      {"tail_repeated",
       "The last tile is not full, but all its slots pull: those after the last body still hold "
       "bodies of the previous tile, which count twice.",
       [=](auto, auto j) { return j + block >= n && j < last_tile ? 2 : 1; }},
      {"own_tile_twice", "The bodies of the thread's own block pull twice.",
       [=](auto i, auto j) { return j / block == i / block ? 2 : 1; }},
      {"own_tile_missing", "The bodies of the thread's own block do not pull.",
       [=](auto i, auto j) { return j / block == i / block ? 0 : 1; }},
      {"own_tile_only", "Only the bodies of the thread's own block pull.",
       [=](auto i, auto j) { return j / block == i / block ? 1 : 0; }},
      {"wrong_tile", "Every tile holds the bodies of the first one.",
       [=](auto, auto j) { return j < block ? (n - j + block - 1) / block : 0; }},
      {"wrong_tile", "Every tile holds the bodies of the thread's own block.",
       [=](auto i, auto j) { return j / block == i / block ? tiles : 0; }},
      {"wrong_tile", "All slots of a tile hold its first body.",
       [=](auto, auto j) { return j % block == 0 ? std::min(block, n - j) : 0; }},
  };
}

inline Pattern find_wrong_tiles(const Evidence& evidence) {
  const std::size_t n = evidence.bodies.count();
  for (std::size_t block = 32; block <= 1024 && block < n; block *= 2) {
    for (const WrongTiles& suspicion : wrong_tiles(n, block)) {
      const bool explained = evidence.all_have_velocity([&](std::size_t i) {
        return sum_over_bodies(evidence.bodies, i, [&](std::size_t j, double distance_squared) {
          return suspicion.weight(i, j) * pull_of(evidence.bodies, j, distance_squared);
        });
      });
      if (explained) return {suspicion.id, suspicion.sentence};
    }
  }
  return {};
}

/// Looks for the step that a call with dt and softening in each other's place would make.
inline Pattern find_swapped_arguments(const Evidence& evidence) {
  Bodies swapped = evidence.bodies;
  std::swap(swapped.dt, swapped.softening);
  const bool explained = evidence.all(
      [&](std::size_t i) { return step_of(swapped, i).velocity.admits(evidence.got[i]); });
  if (!explained) return {};
  return {"arguments_swapped", "It is the step with softening for dt and dt for softening."};
}

inline Pattern outputs_swapped() {
  return {"outputs_swapped",
          "Positions are where the velocities should be, or the other way around."};
}

inline Pattern not_a_number() {
  return {"not_a_number",
          "It is not a number (NaN), as 0 * infinity gives, or memory that nobody has written."};
}

inline Pattern diagnose_velocity(const Evidence& evidence) {
  const Bodies& bodies = evidence.bodies;
  if (evidence.not_a_number()) return not_a_number();
  if (evidence.all_have_velocity([&](auto i) { return acceleration(bodies, i); })) {
    return {"velocity_w_lost", "Only w is wrong: it has to be carried along."};
  }
  if (evidence.all([&](std::size_t i) {
        Step step = step_of(bodies, i);
        for (std::size_t c = 0; c < 3; ++c) step.velocity.value[c] -= xyz(bodies.velocity[i])[c];
        return step.velocity.admits(evidence.got[i]);
      })) {
    return {"velocity_forgotten", "It is only the change: the old velocity was not added."};
  }
  for (const auto find : {find_wrong_factor, find_wrong_pull, find_missing_bodies, find_wrong_tiles,
                          find_swapped_arguments}) {
    const Pattern pattern = find(evidence);
    if (!pattern.id.empty()) return pattern;
  }
  if (evidence.all([&](auto i) { return step_of(bodies, i).position.admits(evidence.got[i]); })) {
    return outputs_swapped();
  }
  if (evidence.all([&](std::size_t i) {
        Bounded velocity = step_of(bodies, i).velocity;
        for (double& tolerance : velocity.tolerance) tolerance *= 100;
        return velocity.admits(evidence.got[i]);
      })) {
    return {"inexact", "It is nearly right, but rounding in float explains only a smaller error."};
  }
  return {};
}

/// Looks for what is wrong with a position whose velocity is right.
inline Pattern diagnose_position(const Evidence& evidence) {
  const Bodies& bodies = evidence.bodies;
  // `change` is added to the right position to get the suspected one.
  const auto is_off_by = [&](const std::function<double(std::size_t i, std::size_t c)>& change) {
    return evidence.all([&](std::size_t i) {
      Bounded position = step_of(bodies, i).position;
      for (std::size_t c = 0; c < 3; ++c) position.value[c] += change(i, c);
      return position.admits(evidence.got[i]);
    });
  };
  if (evidence.not_a_number()) return not_a_number();
  if (is_off_by([](auto, auto) { return 0; })) {
    return {"mass_lost", "Only w is wrong: each body keeps its mass."};
  }
  if (evidence.all([&](auto i) { return step_of(bodies, i).velocity.admits(evidence.got[i]); })) {
    return outputs_swapped();
  }
  const auto new_velocity = [&](std::size_t i, std::size_t c) {
    return step_of(bodies, i).velocity.value[c];
  };
  const double dt = bodies.dt;
  if (is_off_by([&](std::size_t i, std::size_t c) {
        return dt * (xyz(bodies.velocity[i])[c] - new_velocity(i, c));
      })) {
    return {"old_velocity", "The position has moved with the old velocity, not with the new one."};
  }
  if (is_off_by([&](std::size_t i, std::size_t c) { return -dt * new_velocity(i, c); })) {
    return {"position_kept", "The position has not moved."};
  }
  if (is_off_by([&](std::size_t i, std::size_t c) { return (1 - dt) * new_velocity(i, c); })) {
    return {"position_dt_forgotten",
            "The velocity is added to the position without the factor dt."};
  }
  return {};
}

}  // namespace nbody

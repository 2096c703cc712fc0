#pragma once

#include <string>
#include <vector>

#include "inputs.h"

/// Which element each lane of a warp touches, as data, so that no compiler knows it.
namespace tilelab::calibration {

constexpr int warp_size = 32;
constexpr int no_element = -1;  ///< The lane does not take part.

struct Pattern {
  std::string name;
  std::vector<int> element;  ///< By lane.
};

template <class F>
Pattern pattern(const std::string& name, F element_of_lane) {
  Pattern result{name, std::vector<int>(warp_size)};
  for (int lane = 0; lane < warp_size; ++lane) result.element[lane] = element_of_lane(lane);
  return result;
}

/// Elements 0 to 31 in random order: a warp that touches each of them once.
inline Pattern shuffled(std::uint32_t seed) {
  return {"shuffled_" + std::to_string(seed), permutation(warp_size, seed)};
}

/// 32 different elements out of `elements`.
inline Pattern scattered(int elements, std::uint32_t seed) {
  std::vector<int> order = permutation(elements, seed);
  order.resize(warp_size);
  return {"scattered_" + std::to_string(seed), order};
}

/// Elements out of `elements`, some of them touched by several lanes.
inline Pattern repeated(int elements, std::uint32_t seed) {
  return pattern("repeated_" + std::to_string(seed), [=](int lane) {
    return static_cast<int>(scrambled(seed * 4099u + static_cast<std::uint32_t>(lane)) %
                            static_cast<std::uint32_t>(elements));
  });
}

/// Warps in which some lanes take no part.
inline std::vector<Pattern> partly_active() {
  return {
      pattern("lower_half_warp", [](int lane) { return lane < 16 ? lane : no_element; }),
      pattern("upper_half_warp", [](int lane) { return lane >= 16 ? lane : no_element; }),
      pattern("odd_lanes", [](int lane) { return lane % 2 == 1 ? lane : no_element; }),
      pattern("every_eighth_lane", [](int lane) { return lane % 8 == 0 ? lane : no_element; }),
      pattern("one_lane", [](int lane) { return lane == 13 ? lane : no_element; }),
      pattern("all_but_one_lane", [](int lane) { return lane != 13 ? lane : no_element; }),
  };
}

}  // namespace tilelab::calibration

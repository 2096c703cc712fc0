#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace tilelab::estimator {

/// A value of 32 bits for each lane of a warp.
using Lanes = std::array<std::uint32_t, 32>;

/// A value of 64 bits for each lane.
using WideLanes = std::array<std::uint64_t, 32>;

/// A real for each lane. A double holds those of less precision as well.
using Reals = std::array<double, 32>;

/// Some lanes of a warp, a bit each. It is also a predicate's value in all lanes.
using Mask = std::uint32_t;

constexpr Mask all_lanes = ~Mask{0};

constexpr bool has_lane(Mask mask, std::size_t lane) { return (mask >> lane & 1U) != 0; }

/// Calls a function with the number of each lane of a mask, from the lowest.
template <class F>
void for_each_lane(Mask mask, F&& call) {
  for (; mask != 0; mask &= mask - 1) call(static_cast<std::size_t>(std::countr_zero(mask)));
}

/// The lanes for which a function of a lane's number is true.
template <class F>
Mask lanes_where(F&& is_so) {
  Mask made = 0;
  for (std::size_t i = 0; i < 32; ++i) made |= Mask{is_so(i)} << i;
  return made;
}

}  // namespace tilelab::estimator

#pragma once

#include <bit>
#include <cstdint>

namespace tilelab::emulator {

/// Calls `function(lane)` for every lane of the mask.
template <class Function>
void for_each_lane(std::uint32_t lanes, Function function) {
  for (; lanes != 0; lanes &= lanes - 1) function(static_cast<unsigned>(std::countr_zero(lanes)));
}

/// Calls `function(rank)` for the thread in every lane of the mask.
template <class Function>
void for_each_thread(unsigned warp, std::uint32_t lanes, Function function) {
  for_each_lane(lanes, [&](unsigned lane) { function(warp * 32 + lane); });
}

}  // namespace tilelab::emulator

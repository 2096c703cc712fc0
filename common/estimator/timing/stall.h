#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tilelab::estimator {

/// Why a warp does not issue. The names are those of Nsight Compute's warp states.
enum class Stall : std::uint8_t {
  selected,
  not_selected,
  wait,
  long_scoreboard,
  short_scoreboard,
  math_pipe_throttle,
  lg_throttle,
  mio_throttle,
  barrier,
  dispatch_stall,
};

constexpr std::array<std::string_view, 10> stall_names = {
    "selected",           "not_selected", "wait",         "long_scoreboard", "short_scoreboard",
    "math_pipe_throttle", "lg_throttle",  "mio_throttle", "barrier",         "dispatch_stall"};

/// A number for each state of a warp.
using PerStall = std::array<double, stall_names.size()>;

constexpr std::size_t place_of(Stall state) { return static_cast<std::size_t>(state); }

}  // namespace tilelab::estimator

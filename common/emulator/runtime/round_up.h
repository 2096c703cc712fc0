#pragma once

#include <cstddef>

namespace tilelab::emulator {

/// The next multiple of `unit`.
constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

}  // namespace tilelab::emulator

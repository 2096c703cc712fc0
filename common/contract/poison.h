#pragma once

#include <cstdint>

namespace tilelab {

/// The contents of memory that nobody wrote, on the emulator: a NaN as float and as double, and a
/// large, odd-looking number as an integer, so that a result computed from it cannot look right.
inline constexpr std::uint32_t poison_word = 0x7ffbadba;

}  // namespace tilelab

#pragma once

#include <cstddef>
#include <cstdint>

namespace tilelab::emulator {

/// The contents of memory that nobody wrote: a NaN as float and as double, and a large, odd-looking
/// number as an integer, so that a result computed from it cannot look right.
constexpr std::uint32_t poison_word = 0x7ffbadba;
constexpr std::uint64_t poison_bits = 0x7ffbadba'7ffbadba;

/// @param memory  aligned to 4 bytes
void poison(void* memory, std::size_t bytes);

}  // namespace tilelab::emulator

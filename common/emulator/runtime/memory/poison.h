#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/poison.h"

namespace tilelab::emulator {

/// poison_word twice.
constexpr std::uint64_t poison_bits = 0x7ffbadba'7ffbadba;

/// @param memory  aligned to 4 bytes
void poison(void* memory, std::size_t bytes);

/// What scramble() leaves in the word at an address: a huge number as float and as double. It
/// differs from word to word, so that what is computed from one word does not look like another,
/// and no comparison with it holds by chance, as those with a NaN do.
constexpr std::uint32_t scrambled_word(std::uintptr_t address) {
  return 0x7e000000 | static_cast<std::uint32_t>(address / 4) * 0x9e3779b1 >> 9;
}

/// @param memory  aligned to 4 bytes
/// @param bytes   a multiple of 4
void scramble(void* memory, std::size_t bytes);

}  // namespace tilelab::emulator

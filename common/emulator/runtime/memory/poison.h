#pragma once

#include <cstddef>
#include <cstdint>

#include "contract/poison.h"

namespace tilelab::emulator {

/// poison_word twice.
constexpr std::uint64_t poison_bits = 0x7ffbadba'7ffbadba;

/// @param memory  aligned to 4 bytes
void poison(void* memory, std::size_t bytes);

}  // namespace tilelab::emulator

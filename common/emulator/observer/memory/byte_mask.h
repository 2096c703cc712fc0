#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace tilelab::emulator {

/// The bytes that an access touches of the word of 4 that it begins in, a bit each.
constexpr std::uint32_t byte_mask(std::size_t address, std::size_t bytes) {
  const std::size_t count = std::min<std::size_t>(bytes, 4 - address % 4);
  return ((1u << count) - 1) << address % 4;
}

}  // namespace tilelab::emulator

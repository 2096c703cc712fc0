#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tilelab::estimator {

/// The part of a word that a load of 1, 2 or 4 bytes at an address gets. A larger one takes the
/// word as it is.
inline std::uint32_t part_of_word(std::uint32_t word, std::uint64_t address, int bytes) {
  if (bytes >= 4) return word;
  const std::uint32_t moved = word >> (8 * (address & 3U));
  return bytes == 1 ? moved & 0xffU : moved & 0xffffU;
}

/// A word after a store of 1, 2 or 4 bytes at an address. A GPU refuses 2 bytes at an odd address:
/// here they go to the even one below.
inline std::uint32_t with_part(std::uint32_t word, std::uint64_t address, std::uint32_t value,
                               int bytes) {
  if (bytes >= 4) return value;
  const auto size = static_cast<std::size_t>(bytes);
  std::memcpy(reinterpret_cast<std::uint8_t*>(&word) + (address & (4 - size)), &value, size);
  return word;
}

}  // namespace tilelab::estimator

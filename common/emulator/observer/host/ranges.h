#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>

namespace tilelab::emulator {

/// The sizes in bytes of pieces of memory that do not overlap, by their first addresses.
using Ranges = std::map<std::uintptr_t, std::size_t>;

/// Whether one of them has the address.
inline bool have(const Ranges& ranges, std::uintptr_t address) {
  const auto next = ranges.upper_bound(address);
  if (next == ranges.begin()) return false;
  const auto& [begin, bytes] = *std::prev(next);
  return address - begin < bytes;
}

}  // namespace tilelab::emulator

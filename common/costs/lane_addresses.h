#pragma once

#include <array>
#include <cstdint>

namespace tilelab::costs {

/// The lanes of a warp that execute one instruction together, and their addresses.
struct LaneAddresses {
  std::uint32_t lanes;  ///< The active lanes, a bit each.
  unsigned count;       ///< How many lanes are active.

  /// If regular, the i-th active lane's address is first + i * stride, and `addresses` is empty.
  bool is_regular;
  std::uint32_t first;
  std::uint32_t stride;
  std::array<std::uint32_t, 32> addresses;

  std::uint32_t address(unsigned i) const { return is_regular ? first + i * stride : addresses[i]; }
};

}  // namespace tilelab::costs

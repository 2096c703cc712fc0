#pragma once

#include <array>
#include <cstdint>

#include "costs/lane_addresses.h"

namespace tilelab::emulator {

/// How the lanes of one access lie to each other. What the memory pipeline does depends on no more
/// than this, and most accesses are like the one before.
class AccessPattern {
 public:
  /// Whether the access is like the one that was asked for before, but off by a multiple of
  /// `period` bytes, or all lanes of both use one address. Remembers it for the next time.
  bool repeats(const costs::LaneAddresses& access, std::uint32_t period) {
    const bool is_one_address = access.is_regular && access.stride == 0;
    const std::uint32_t begin = is_one_address ? 0 : access.address(0) % period;
    const bool is_alike =
        lanes_ == access.lanes && is_regular_ == access.is_regular && begin_ == begin;
    lanes_ = access.lanes;
    is_regular_ = access.is_regular;
    begin_ = begin;
    const bool has_same_shape = access.is_regular ? has_stride(access) : has_offsets(access);
    return is_alike && has_same_shape;
  }

 private:
  bool has_stride(const costs::LaneAddresses& access) {
    const bool is_same = stride_ == access.stride;
    stride_ = access.stride;
    return is_same;
  }

  bool has_offsets(const costs::LaneAddresses& access) {
    std::uint32_t different = 0;
    for (unsigned i = 0; i < access.count; ++i) {
      const std::uint32_t offset = access.addresses[i] - access.addresses[0];
      different |= offset ^ offsets_[i];
      offsets_[i] = offset;
    }
    return different == 0;
  }

  std::uint32_t lanes_ = 0;
  bool is_regular_ = false;
  std::uint32_t stride_ = 0;
  std::uint32_t begin_ = 0;                  ///< The first address, modulo the period.
  std::array<std::uint32_t, 32> offsets_{};  ///< From the first address, if irregular.
};

}  // namespace tilelab::emulator

#pragma once

#include <bit>
#include <cstdint>

#include "costs/lane_addresses.h"
#include "emulator/observer/events/event.h"

namespace tilelab::emulator {

/// One instruction of a warp, which some of its lanes execute together.
struct WarpAccess : costs::LaneAddresses {
  Code code;
  unsigned warp;  ///< The warp's number in its block.

  AccessKind kind() const { return kind_of(code); }
  unsigned bytes() const { return bytes_of(code); }
  MemorySpace space() const { return space_of(address(0)); }
};

/// Whether all lanes access the same memory space.
inline bool is_in_one_space(const WarpAccess& access) {
  if (access.is_regular) return true;
  std::uint32_t different = 0;
  for (unsigned i = 1; i < access.count; ++i) {
    different |= access.addresses[i] ^ access.addresses[0];
  }
  if (different < space_alignment) return true;
  const MemorySpace space = access.space();
  for (unsigned i = 1; i < access.count; ++i) {
    if (space_of(access.addresses[i]) != space) return false;
  }
  return true;
}

/// The part of an irregular access that belongs to the lanes in one memory space.
inline WarpAccess part_in(const WarpAccess& access, MemorySpace space) {
  WarpAccess part = access;
  part.lanes = 0;
  part.count = 0;
  std::uint32_t lanes = access.lanes;
  for (unsigned i = 0; i < access.count; ++i, lanes &= lanes - 1) {
    if (space_of(access.addresses[i]) != space) continue;
    part.lanes |= lanes & -lanes;
    part.addresses[part.count++] = access.addresses[i];
  }
  return part;
}

/// Takes what the lanes of a warp did together. Each lane's accesses come in the lane's own order.
class WarpSink {
 public:
  virtual void take(const WarpAccess& access) = 0;
  /// Each of the lanes passed the point with this number, which orders it with other threads: a
  /// fence, or the warp operation at which they met.
  virtual void take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number) = 0;
  /// The lanes passed the copy mark with this number together.
  virtual void take_copy_mark(unsigned warp, std::uint32_t lanes, std::uint32_t number) = 0;
  /// Another block runs next, or others rely on what the thread did. What it has logged since the
  /// last time is put together later.
  /// @param is_first  whether nothing before it is still to be put together
  virtual void take_early(unsigned thread, const Event* begin, const Event* end, bool is_first) = 0;
  /// Another block runs next, and a store of this one is put together later.
  virtual void show_store(Event event) = 0;
  /// What follows in the lanes' logs is of this epoch.
  virtual void take_epoch(unsigned warp, std::uint32_t lanes, std::uint32_t epoch) = 0;
  /// What one thread did, in its own order.
  virtual void take_alone(unsigned thread, const Event* begin, const Event* end) = 0;

 protected:
  ~WarpSink() = default;
};

}  // namespace tilelab::emulator

#pragma once

#include <array>
#include <cstdint>

#include "emulator/observer/events/warp_access.h"

namespace tilelab::emulator {

/// How the accesses of a block lie to each other. Blocks that do the same with elements of their
/// own have the same shape, wherever these elements are.
class AccessShape {
 public:
  /// Adds some events.
  void add(const Event* begin, const Event* end) {
    for (const Event* event = begin; event != end; ++event) {
      if (Place* const place = place_for(code_of(*event))) place->add(address_of(*event));
    }
  }
  /// Adds what the lanes of a warp did.
  void add(const WarpAccess& access) {
    Place* const place = place_for(access.code);
    if (place == nullptr) return;
    for (unsigned i = 0; i < access.count; ++i) place->add(access.address(i));
  }

  /// A number for the shape. Few shapes share one.
  std::uint64_t value() const {
    std::uint64_t value = 0;
    for (const Place& place : places_) {
      if (place.count > 0) value += mixed(mixed(place.code) + place.spread());
    }
    return value;
  }

 private:
  /// The accesses at one place in the program.
  struct Place {
    Code code = 0;
    std::uint64_t count = 0, sum = 0, squares = 0;  ///< Of their addresses.

    void add(std::uint64_t address) {
      ++count;
      sum += address;
      squares += address * address;
    }
    /// The variance, which is the same if all addresses are shifted, also where numbers wrap.
    std::uint64_t spread() const { return count * squares - sum * sum; }
  };

  static std::uint64_t mixed(std::uint64_t value) {
    value = (value ^ value >> 31) * 0x9e3779b97f4a7c15;
    return (value ^ value >> 29) * 0xbf58476d1ce4e5b9;
  }

  /// Null for what says nothing of a shape: a thread may poll any number of times, and atomic
  /// operations may go where the data say. Also where a kernel has very many places.
  Place* place_for(Code code) {
    if (is_mark(code) || is_special(code) || kind_of(code) == AccessKind::atomic) return nullptr;
    const std::uint32_t hash = (code * 0x9e3779b1u) >> (32 - log2_places);
    for (std::uint32_t i = 0; i < most_probes; ++i) {
      Place& place = places_[(hash + i) % places_.size()];
      if (place.count == 0) place.code = code;
      if (place.code == code) return &place;
    }
    return nullptr;
  }

  static constexpr unsigned log2_places = 7, most_probes = 16;

  std::array<Place, 1u << log2_places> places_{};
};

}  // namespace tilelab::emulator

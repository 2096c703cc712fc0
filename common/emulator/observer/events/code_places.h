#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "emulator/observer/events/event.h"

namespace tilelab::emulator {

/// Places in the code of a launch that have something in common.
class CodePlaces {
 public:
  /// @param place  the return address of the hook's call
  void note(std::uintptr_t place) {
    const std::uint32_t compressed = compress_place(place);
    if (!contains(compressed)) places_.push_back(compressed);
  }
  bool has(Code code) const { return contains(place_of(code)); }

 private:
  bool contains(std::uint32_t place) const {
    return std::find(places_.begin(), places_.end(), place) != places_.end();
  }

  std::vector<std::uint32_t> places_;  ///< A program has few of them.
};

}  // namespace tilelab::emulator

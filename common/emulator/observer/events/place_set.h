#pragma once

#include <array>
#include <cstdint>

#include "emulator/observer/events/event.h"

namespace tilelab::emulator {

/// Places in the program at which there were accesses. Few of them share a bit.
class PlaceSet {
 public:
  /// Adds those of some events.
  void add(const Event* begin, const Event* end) {
    for (const Event* event = begin; event != end; ++event) {
      const std::uint32_t bit = (place_of(code_of(*event)) * 0x9e3779b1u) >> (32 - log2_bits);
      words_[bit / 64] |= std::uint64_t{1} << bit % 64;
    }
  }
  /// Adds those of another set. Returns whether any of them is new.
  bool add(const PlaceSet& others) {
    std::uint64_t added = 0;
    for (unsigned i = 0; i < words; ++i) {
      added |= others.words_[i] & ~words_[i];
      words_[i] |= others.words_[i];
    }
    return added != 0;
  }

 private:
  static constexpr unsigned log2_bits = 12, words = (1u << log2_bits) / 64;

  std::array<std::uint64_t, words> words_{};
};

}  // namespace tilelab::emulator

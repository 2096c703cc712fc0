#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "estimator/execution/lanes.h"

namespace tilelab::estimator {

/// The local memory of a warp's threads. A place is a thread's address, with its lane above it.
class LocalMemory {
 public:
  static std::uint64_t place(std::uint32_t address, std::size_t lane) {
    return std::uint64_t{lane} << 32U | address;
  }

  /// Loads 1, 2 or 4 bytes. More than 4 are loaded word by word.
  std::uint32_t load(std::uint64_t place, int bytes) const;

  void store(std::uint64_t place, std::uint32_t value, int bytes);

  /// Whether nobody knows the value of the word.
  bool is_unknown(std::uint64_t place) const;
  void set_unknown(std::uint64_t place, bool is_unknown);

 private:
  /// A word of each lane.
  struct Word {
    Lanes values{};
    Mask unknown = 0;
  };

  std::unordered_map<std::uint32_t, Word> words_;  // by a fourth of the address
};

}  // namespace tilelab::estimator

#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>

#include "emulator/observer/races/word_history.h"

namespace tilelab::emulator {

/// Which thread was the first to write each byte since the last barrier, among the writes that a
/// thread has made before a point on which others may rely.
class FirstWrites {
 public:
  void add(std::uint32_t address, unsigned bytes, const AccessRecord& write) {
    for (std::uint32_t at = address; at < address + bytes; ++at) {
      AccessRecord& first = words_[at / 4][at % 4];
      if (first.epoch == 0) first = write;
    }
  }
  void forget_word(std::uint32_t address) { words_.erase(address / 4); }
  void clear() {
    if (!words_.empty()) words_.clear();
  }

  /// The first write of the byte; null if there is none.
  const AccessRecord* of(std::uint32_t address) const {
    const auto word = words_.find(address / 4);
    if (word == words_.end() || word->second[address % 4].epoch == 0) return nullptr;
    return &word->second[address % 4];
  }

 private:
  std::unordered_map<std::uint32_t, std::array<AccessRecord, 4>> words_;  ///< By byte.
};

}  // namespace tilelab::emulator

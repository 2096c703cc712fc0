#pragma once

#include <array>
#include <cstdint>

#include "emulator/observer/memory/reserved_memory.h"

namespace tilelab::emulator {

/// The asynchronous copies that touched a word of memory last, by their numbers; 0 is none.
///
/// The threads of a group may share a word of a copy, so the bytes that each of them has count.
struct CopiedWord {
  std::uint32_t write = 0;
  std::uint32_t read = 0;
  std::uint8_t write_bytes = 0;  ///< A bit for each.
  std::uint8_t read_bytes = 0;
};

/// The copies of every word, by compressed address.
class CopyHistories {
 public:
  CopiedWord& of(std::uint32_t address) {
    CopiedWord*& chunk = chunks_[address / chunk_bytes];
    if (chunk == nullptr) {
      chunk = static_cast<CopiedWord*>(reserve_memory(chunk_bytes / 4 * sizeof(CopiedWord)));
    }
    return chunk[address % chunk_bytes / 4];
  }
  /// The same, if any copy was near; else none.
  CopiedWord known(std::uint32_t address) const {
    const CopiedWord* const chunk = chunks_[address / chunk_bytes];
    return chunk != nullptr ? chunk[address % chunk_bytes / 4] : CopiedWord{};
  }

 private:
  static constexpr std::uint32_t chunk_bytes = 1 << 16;
  std::array<CopiedWord*, (std::uint64_t{1} << 32) / chunk_bytes> chunks_{};
};

}  // namespace tilelab::emulator

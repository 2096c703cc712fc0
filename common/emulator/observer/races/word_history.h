#pragma once

#include <array>
#include <cstdint>

#include "emulator/observer/memory/reserved_memory.h"

/// Who accessed a word of memory last.
namespace tilelab::emulator {

/// One access: when, by whom, and where in the program. All zeros mean none.
struct AccessRecord {
  std::uint32_t epoch : 28 = 0;   ///< Counts the barriers of all blocks so far.
  std::uint32_t bytes : 4 = 0;    ///< Which bytes of the word, a bit each.
  std::uint32_t thread : 10 = 0;  ///< The thread's rank in the block.
  std::uint32_t site : 12 = 0;    ///< The number of the place and kind of access.
  std::uint32_t sync : 10 = 0;    ///< The number of the last __syncwarp() before it.
};
static_assert(sizeof(AccessRecord) == 8);

struct WordHistory {
  AccessRecord write;       ///< The last write.
  AccessRecord read;        ///< A read of the running block.
  AccessRecord other_read;  ///< A read by another thread since the same barrier.
  AccessRecord old_read;    ///< A read of an earlier block of the launch.
};

/// The history of every word, by compressed address.
class WordHistories {
 public:
  WordHistory& of(std::uint32_t address) {
    WordHistory*& chunk = chunks_[address / chunk_bytes];
    if (chunk == nullptr) {
      chunk = static_cast<WordHistory*>(reserve_memory(chunk_bytes / 4 * sizeof(WordHistory)));
    }
    return chunk[address % chunk_bytes / 4];
  }

  /// Forgets everything.
  void clear() {
    for (WordHistory* chunk : chunks_) {
      if (chunk != nullptr) release_pages(chunk, chunk_bytes / 4 * sizeof(WordHistory));
    }
  }

 private:
  static constexpr std::uint32_t chunk_bytes = 1 << 16;
  std::array<WordHistory*, (std::uint64_t{1} << 32) / chunk_bytes> chunks_{};
};

}  // namespace tilelab::emulator

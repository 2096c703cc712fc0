#pragma once

#include <array>
#include <cstdint>

#include "emulator/observer/memory/reserved_memory.h"

/// The last accesses to a word of memory.
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

/// Whether both are by one thread, with nothing in between that orders it and others.
inline bool are_at_once(const AccessRecord& a, const AccessRecord& b) {
  return a.epoch == b.epoch && a.thread == b.thread && a.sync == b.sync;
}

struct WordHistory {
  AccessRecord write;       ///< The last write.
  AccessRecord read;        ///< A read of the running block.
  AccessRecord other_read;  ///< A read by another thread since the same barrier.
  AccessRecord old_read;    ///< A read of an earlier block of the launch.

  /// Whether the last write left some bytes to earlier ones.
  bool is_split() const { return write.bytes != 0 && write.bytes != 0xf; }
};

/// The earlier writes of a word's other bytes. Each byte is one write's.
using OtherWrites = std::array<AccessRecord, 3>;

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

  /// Of a word that is split, or was; null if none near it ever was.
  OtherWrites* others(std::uint32_t address) {
    OtherWrites* const chunk = others_[address / chunk_bytes];
    return chunk != nullptr ? &chunk[address % chunk_bytes / 4] : nullptr;
  }

  /// The word was written. What the last write leaves to earlier ones is kept.
  void write(std::uint32_t address, WordHistory& word, const AccessRecord& now) {
    const bool is_whole = now.bytes == 0xf;
    if (is_whole && !word.is_split()) {
      word.write = now;
    } else {
      write_part(address, word, now);
    }
  }

  /// Forgets a word.
  void forget(std::uint32_t address) {
    of(address) = {};
    if (OtherWrites* const others_of_word = others(address)) *others_of_word = {};
  }

  /// Forgets everything.
  void clear() {
    for (WordHistory* chunk : chunks_) {
      if (chunk != nullptr) release_pages(chunk, chunk_bytes / 4 * sizeof(WordHistory));
    }
    for (OtherWrites* chunk : others_) {
      if (chunk != nullptr) release_pages(chunk, chunk_bytes / 4 * sizeof(OtherWrites));
    }
  }

 private:
  void write_part(std::uint32_t address, WordHistory& word, AccessRecord now) {
    const AccessRecord before = word.write;
    OtherWrites*& chunk = others_[address / chunk_bytes];
    const std::uint32_t left = before.bytes & ~now.bytes;
    const bool is_at_once = are_at_once(before, now);
    if (chunk == nullptr && left != 0 && !is_at_once) {
      chunk = static_cast<OtherWrites*>(reserve_memory(chunk_bytes / 4 * sizeof(OtherWrites)));
    }
    if (is_at_once) now.bytes = (now.bytes | before.bytes) & 0xf;
    word.write = now;
    if (chunk == nullptr) return;
    AccessRecord* unused = nullptr;
    for (AccessRecord& other : chunk[address % chunk_bytes / 4]) {
      // Without a last write, there are no earlier ones.
      other.bytes = before.bytes == 0 ? 0u : (other.bytes & ~now.bytes) & 0xf;
      if (other.bytes == 0) unused = &other;
    }
    if (left == 0 || is_at_once) return;
    *unused = before;
    unused->bytes = left & 0xf;
  }

  static constexpr std::uint32_t chunk_bytes = 1 << 16;
  std::array<WordHistory*, (std::uint64_t{1} << 32) / chunk_bytes> chunks_{};
  std::array<OtherWrites*, (std::uint64_t{1} << 32) / chunk_bytes> others_{};
};

}  // namespace tilelab::emulator

#pragma once

#include <cstddef>
#include <vector>

#include "emulator/observer/events/event.h"
#include "emulator/observer/merge/control_flow.h"

/// What a thread did since its log was last emptied.
namespace tilelab::emulator {

struct LogStorage {
  static constexpr std::size_t accesses_capacity = 4096;
  static constexpr std::size_t blocks_capacity = 8192;
  /// Marks are written while the thread waits, so there is room for some when the log is full.
  static constexpr std::size_t reserve = 72;

  Event accesses[accesses_capacity + reserve];
  Event blocks[blocks_capacity];  // a full log is noticed before it overflows
};
// Otherwise the logs of a warp's lanes would compete for the same few cache lines.
static_assert(sizeof(LogStorage) % 4096 >= 256);

struct LaneLog {
  LogStorage* storage = nullptr;  ///< Null while there is nothing to tell.
  Event* cursor = nullptr;
  Event* block_cursor = nullptr;
  ControlFlow::Position position;  ///< Where the thread was when the log was last emptied.
  bool is_open = false;            ///< Whether more may follow before the warp's lanes meet.
  Code place = 0;                  ///< What last_place() said before the log was last emptied.

  std::size_t access_count() const { return static_cast<std::size_t>(cursor - storage->accesses); }
  std::size_t block_count() const {
    return static_cast<std::size_t>(block_cursor - storage->blocks);
  }
  /// How many accesses came before the block event.
  std::size_t accesses_before(Event block_event) const {
    const auto begin =
        static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(storage->accesses));
    return (address_of(block_event) - begin) / sizeof(Event);
  }
  /// How many blocks were entered before this many accesses were made.
  std::size_t blocks_until(std::size_t accesses) const;
  bool is_full() const {
    return access_count() >= LogStorage::accesses_capacity ||
           block_count() >= LogStorage::blocks_capacity;
  }
  /// Whether there is nothing to tell, and nothing will follow before the warp's lanes meet.
  bool is_empty() const {
    return storage != nullptr && !is_open && access_count() == 0 && block_count() == 0;
  }
  /// Where the thread was last, if its log ends there; 0 if that is not known.
  Code last_place(const Event* accesses_end, const Event* blocks_end) const;
  void clear() {
    cursor = storage->accesses;
    block_cursor = storage->blocks;
  }
  /// Drops the first accesses and blocks.
  void drop(std::size_t accesses, std::size_t blocks);
};

/// Reuses storage, last in first out, so that it stays in the cache.
class LogPool {
 public:
  LogStorage* take();
  void give_back(LogStorage* storage) { idle_.push_back(storage); }

 private:
  void add_slab();

  std::vector<LogStorage*> idle_;
};

}  // namespace tilelab::emulator

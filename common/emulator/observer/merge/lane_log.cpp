#include "emulator/observer/merge/lane_log.h"

#include <algorithm>

#include "emulator/observer/memory/reserved_memory.h"

namespace tilelab::emulator {

std::size_t LaneLog::blocks_until(std::size_t accesses) const {
  std::size_t count = 0;
  while (count < block_count() && accesses_before(storage->blocks[count]) <= accesses) ++count;
  return count;
}

Code LaneLog::last_place(const Event* accesses_end, const Event* blocks_end) const {
  if (storage == nullptr) return place;
  if (blocks_end != storage->blocks) return make_code(code_of(blocks_end[-1]), AccessKind::load, 0);
  const bool has_access = accesses_end != storage->accesses && !is_mark(code_of(accesses_end[-1]));
  return has_access ? code_of(accesses_end[-1]) : place;
}

void LaneLog::drop(std::size_t accesses, std::size_t blocks) {
  cursor = std::move(storage->accesses + accesses, cursor, storage->accesses);
  block_cursor = std::move(storage->blocks + blocks, block_cursor, storage->blocks);
  // Block events say where they are among the accesses, which have moved.
  for (Event* event = storage->blocks; event != block_cursor; ++event) {
    *event -= std::uint64_t{accesses * sizeof(Event)} << 32;
  }
}

LogStorage* LogPool::take() {
  if (idle_.empty()) add_slab();
  LogStorage* storage = idle_.back();
  idle_.pop_back();
  return storage;
}

void LogPool::add_slab() {
  // Only pages that are written take up memory, and most threads leave most of their log untouched.
  constexpr std::size_t count = 32;
  void* memory = reserve_memory(count * sizeof(LogStorage));
  for (std::size_t i = count; i-- > 0;) idle_.push_back(static_cast<LogStorage*>(memory) + i);
}

}  // namespace tilelab::emulator

#include "emulator/observer/events/hot_state.h"

#include <iterator>
#include <utility>

namespace tilelab::emulator {
namespace {

constexpr std::size_t count = 1024;
/// Hooks write a few marks past the end.
constexpr std::size_t reserve = 8;

/// The hooks write here while nobody is interested.
Event unused_accesses[count + reserve];
Event unused_blocks[count];

}  // namespace

constinit HotState hot{.host_thread = nullptr,
                       .cursor = unused_accesses,
                       .end = unused_accesses + count,
                       .block_cursor = unused_blocks,
                       .block_end = std::end(unused_blocks),
                       .shared_begin = 0,
                       .shared_bytes = 0,
                       .arena_begin = 0,
                       .arena_bytes = 0,
                       .shared_addressable = nullptr,
                       .arena_addressable = nullptr,
                       .builtin_begin = 0,
                       .builtin_bytes = 0,
                       .arguments_begin = 0,
                       .arguments_bytes = 0,
                       .pieces = nullptr,
                       .piece_count = 0,
                       .stack_bytes = 0,
                       .constants_begin = 0,
                       .constants_bytes = 0,
                       .provenance = nullptr,
                       .watches_stores = false};

namespace {

SeenEvents discarded;

/// How many events are here. The cursor is elsewhere while the block's threads are listened to.
std::size_t unused_events() {
  const std::uintptr_t bytes = reinterpret_cast<std::uintptr_t>(hot.cursor) -
                               reinterpret_cast<std::uintptr_t>(unused_accesses);
  return bytes <= sizeof unused_accesses ? bytes / sizeof(Event) : 0;
}

}  // namespace

SeenEvents take_discarded() {
  discard_events();
  return std::exchange(discarded, {});
}

void put_back(const SeenEvents& seen) {
  discarded.events += seen.events;
  discarded.places.add(seen.places);
}

void discard_events() {
  const std::size_t events = unused_events();
  discarded.events += events;
  if (hot.watches_stores) {
    discarded.places.add(unused_accesses, unused_accesses + events);
    discarded.shape.add(unused_accesses, unused_accesses + events);
  }
  hot.cursor = unused_accesses;
  hot.end = unused_accesses + count;
  hot.block_cursor = unused_blocks;
  hot.block_end = std::end(unused_blocks);
}

}  // namespace tilelab::emulator

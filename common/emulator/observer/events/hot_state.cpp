#include "emulator/observer/events/hot_state.h"

#include <iterator>

namespace tilelab::emulator {
namespace {

/// The hooks write here while nobody is interested.
Event unused_accesses[1024];
Event unused_blocks[1024];

}  // namespace

constinit HotState hot{.cursor = unused_accesses,
                       .end = std::end(unused_accesses),
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
                       .stack_bytes = 0,
                       .constants_begin = 0,
                       .constants_bytes = 0,
                       .provenance = nullptr,
                       .watches_stores = false};

void discard_events() {
  hot.cursor = unused_accesses;
  hot.end = std::end(unused_accesses);
  hot.block_cursor = unused_blocks;
  hot.block_end = std::end(unused_blocks);
}

}  // namespace tilelab::emulator

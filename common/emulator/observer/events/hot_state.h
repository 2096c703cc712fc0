#pragma once

#include <cstddef>
#include <cstdint>

#include "emulated/kernel_call.h"
#include "emulator/observer/events/access_shape.h"
#include "emulator/observer/events/event.h"
#include "emulator/observer/events/place_set.h"
#include "emulator/runtime/host_thread.h"

/// What the hooks need for every access, in plain globals: one thread of the host runs a kernel at
/// a time.
namespace tilelab::emulator {

class Provenance;

struct alignas(64) HotState {
  // The thread of the host that runs a kernel; null while none does.
  const void* host_thread;

  // Where the running lane writes down its accesses and its basic blocks. There is room for a few
  // events after `end`, and for one more basic block.
  Event* cursor;
  Event* end;
  Event* block_cursor;
  Event* block_end;

  // Memory whose accesses need no closer look. It is empty while no kernel runs, so that every
  // access of host code gets one.
  std::uintptr_t shared_begin;
  std::size_t shared_bytes;
  std::uintptr_t arena_begin;
  std::size_t arena_bytes;

  // How many bytes of every 8 may be used: the first n.
  const std::uint8_t* shared_addressable;
  const std::uint8_t* arena_addressable;

  // What kernels may read without causing memory traffic: threadIdx and its like, and their
  // arguments.
  std::uintptr_t builtin_begin;
  std::size_t builtin_bytes;
  std::uintptr_t arguments_begin;
  std::size_t arguments_bytes;  ///< From the first to the last of these pieces.
  const Piece* pieces;
  std::size_t piece_count;

  // The stack of each thread, with its guard. The running thread's begins at running_stack.
  std::size_t stack_bytes;

  // The `__constant__` variables.
  std::uintptr_t constants_begin;
  std::size_t constants_bytes;

  Provenance* provenance;  ///< Learns of each store of a kernel to device memory.

  bool watches_stores;  ///< Whether before_store() must be called before each store.
};

[[gnu::visibility("hidden")]] extern HotState hot;

/// Whether it is a kernel that calls the hook, and no other thread of the host.
[[gnu::always_inline]] inline bool is_kernel_thread() {
  return hot.host_thread == this_host_thread();
}

/// Whether the address, which is among the arguments, is in one of them. A kernel that has its
/// arguments in memory loads them again and again.
[[gnu::always_inline]] inline bool is_in_argument(std::uintptr_t address) {
  for (const Piece *piece = hot.pieces, *end = piece + hot.piece_count; piece != end; ++piece) {
    if (address - reinterpret_cast<std::uintptr_t>(piece->begin) < piece->bytes) return true;
  }
  return false;
}

/// Throws away what the hooks write down from now on.
void discard_events();

/// What is known of events once they are gone.
struct SeenEvents {
  std::uint64_t events = 0;  ///< How many.
  PlaceSet places;           ///< Where they came from, if stores are watched.
  AccessShape shape;         ///< The same, unless they were put back.
};

/// Throws away what there is, too, and forgets it.
SeenEvents take_discarded();
/// Lets what was taken count again.
void put_back(const SeenEvents& seen);

// What the dispatcher does for the hooks.

/// The running lane's log is full.
void log_is_full();
/// The running lane is about to make this store, or atomic operation.
void before_store(Event event);
/// The running lane is about to make this atomic operation, or to read this volatile variable.
void read_strongly(Event event);

}  // namespace tilelab::emulator

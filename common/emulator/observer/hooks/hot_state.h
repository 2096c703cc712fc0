#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/observer/event.h"

/// What the hooks need for every access, in plain globals: there is one OS thread.
namespace tilelab::emulator {

struct alignas(64) HotState {
  // Where the running lane writes down its accesses and its basic blocks. There is always room for
  // one more.
  Event* cursor;
  Event* end;
  Event* block_cursor;
  Event* block_end;

  // Empty while no kernel runs, so that every access of host code takes the slow way.
  std::uintptr_t shared_begin;
  std::size_t shared_bytes;
  std::uintptr_t arena_begin;
  std::size_t arena_bytes;

  // How many bytes of every 8 may be used: the first n.
  const std::uint8_t* shared_addressable;
  const std::uint8_t* arena_addressable;

  // What kernels may read without anybody taking notice: threadIdx and its like, and the arguments.
  std::uintptr_t builtin_begin;
  std::size_t builtin_bytes;
  std::uintptr_t arguments_begin;
  std::size_t arguments_bytes;

  bool watches_stores;  ///< tell the race detector of each store before it happens
};

[[gnu::visibility("hidden")]] extern HotState hot;

/// What the hooks do when the fast way ends. `place` is the return address of the hook's call.
void access_elsewhere(std::uintptr_t address, unsigned log2_bytes, AccessKind kind,
                      std::uintptr_t place);
void access_range(std::uintptr_t address, std::size_t bytes, AccessKind kind, std::uintptr_t place);
void before_store(Event event);
void fence();
void log_is_full();

/// As much of a return address as an event has room for: it names one place in 128 MiB of code.
inline std::uint32_t compress_place(std::uintptr_t place) {
  return static_cast<std::uint32_t>(place) & ((1u << (32 - place_shift)) - 1);
}

}  // namespace tilelab::emulator

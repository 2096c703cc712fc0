#pragma once

#include <cstddef>

/// Stacks that can be switched between inside one OS thread.
namespace tilelab::emulator {

struct Fiber {
  void* stack_pointer = nullptr;  ///< where to go on, while it is not running
  char* stack = nullptr;          ///< lowest byte, the guard page's
};

constexpr std::size_t fiber_guard_bytes = 64 * 1024;
constexpr std::size_t fiber_stack_bytes = 196 * 1024;  ///< without the guard

/// A new fiber that will start in `entry`, which must not return.
/// @throws std::bad_alloc
Fiber make_fiber(void (*entry)());

/// Forgets what the fiber was doing: it starts in `entry` again.
void restart_fiber(Fiber& fiber, void (*entry)());

/// Goes on in `to`, and returns here when something switches to `from`.
void switch_fiber(Fiber& from, const Fiber& to);

/// Whether the address is in the guard below the fiber's stack.
bool in_guard(const Fiber& fiber, const void* address);

}  // namespace tilelab::emulator

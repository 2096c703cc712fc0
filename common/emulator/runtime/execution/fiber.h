#pragma once

#include <cstddef>

/// Stacks to switch between within one OS thread.
namespace tilelab::emulator {

struct Fiber {
  void* stack_pointer = nullptr;  ///< Where to continue, while the fiber is not running.
  char* stack = nullptr;          ///< The lowest byte, which belongs to the guard.
};

constexpr std::size_t fiber_guard_bytes = 64 * 1024;
constexpr std::size_t fiber_stack_bytes = 196 * 1024;  ///< The size without the guard.

/// The `stack` of the running fiber. Null while none runs.
extern char* running_stack;

/// A new fiber that will start in `entry`, which must not return.
/// @throws std::bad_alloc
Fiber make_fiber(void (*entry)());

/// Forgets what the fiber was doing: it starts in `entry` again.
void restart_fiber(Fiber& fiber, void (*entry)());

/// Continues in `to`. Returns when something switches back to `from`.
void switch_fiber(Fiber& from, const Fiber& to);

/// Whether the address is in the guard below the fiber's stack.
bool in_guard(const Fiber& fiber, const void* address);

}  // namespace tilelab::emulator

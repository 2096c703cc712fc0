#pragma once

#include <cstddef>

/// Stacks to switch between within one OS thread.
namespace tilelab::emulator {

struct Fiber {
  void* stack_pointer = nullptr;  ///< Where to continue, while the fiber waits.
  char* stack = nullptr;          ///< The lowest byte, which belongs to the guard.
  void* top = nullptr;            ///< Where the stack begins.
};

constexpr std::size_t fiber_guard_bytes = 64 << 10;
constexpr std::size_t fiber_stack_bytes = 196 << 10;  ///< The size without the guard.

/// The `stack` of the running fiber. Null while none runs.
extern char* running_stack;

/// A new fiber, which can be started.
/// @throws std::bad_alloc
Fiber make_fiber();

/// What a fiber runs. It returns the `stack_pointer` of the fiber that continues when it ends; then
/// it can be started again.
using FiberEntry = void* (*)();

extern "C" void tilelab_switch_stack(void** save_stack_pointer, void* load_stack_pointer);
extern "C" void tilelab_start_stack(void** save_stack_pointer, void* top, FiberEntry entry);

/// Continues in `to`. Returns when something continues in `from`.
inline void switch_fiber(Fiber& from, const Fiber& to) {
  running_stack = to.stack;
  tilelab_switch_stack(&from.stack_pointer, to.stack_pointer);
}

/// Runs `entry` in `to`, which may have been in the middle of something. Returns when something
/// continues in `from`.
inline void start_fiber(Fiber& from, const Fiber& to, FiberEntry entry) {
  running_stack = to.stack;
  tilelab_start_stack(&from.stack_pointer, to.top, entry);
}

/// Whether the address is in the guard below the fiber's stack.
bool in_guard(const Fiber& fiber, const void* address);

}  // namespace tilelab::emulator

#pragma once

/// What the rewriter adds to the condition of a loop in which a thread may wait for others.

#include <type_traits>

namespace tilelab::emulator {

void spin_at_run_time();

/// Lets other threads run now and then.
/// @return true
constexpr bool spin() {
  if (!std::is_constant_evaluated()) spin_at_run_time();
  return true;
}

/// What such a loop makes of its condition: what is read until here, it waits for.
#ifdef TILELAB_CHECKED
}  // namespace tilelab::emulator
extern "C" void tilelab_observe_polled();
namespace tilelab::emulator {
constexpr bool polled(bool goes_on) {
  if (!std::is_constant_evaluated()) tilelab_observe_polled();
  return goes_on;
}
#else
constexpr bool polled(bool goes_on) { return goes_on; }
#endif

}  // namespace tilelab::emulator

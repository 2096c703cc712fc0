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

}  // namespace tilelab::emulator

#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>

namespace tilelab::judge {

/// The judge's clock.
using Clock = std::chrono::steady_clock;

/// The seconds that have passed since `start`.
inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// What a process and its descendants have taken so far. A jail is a chain of processes.
struct Usage {
  std::uint64_t memory_bytes = 0;  ///< Pages in memory or swapped out, and their page tables.
  std::uint64_t threads = 0;       ///< The threads that exist now.
  double processor_seconds = 0;    ///< All threads together ran on a processor for this long.
  double queued_seconds = 0;       ///< The processes were ready to run for this long, but other
                                   ///< processes had the processors.
  Clock::time_point at = Clock::now();  ///< The numbers are of this time.

  /// The seconds that passed since `before` without others in the way.
  double own_seconds_since(const Usage& before) const;
};

/// Looks at a process and its descendants. What the system does not tell is 0.
Usage usage_of(pid_t pid);

/// Whether more threads want to run on this machine now than it has processors.
bool machine_is_crowded();

}  // namespace tilelab::judge

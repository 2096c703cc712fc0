#pragma once

#include <cstddef>
#include <cstdint>

namespace tilelab::judge {

/// What a worker may take for one request.
struct Limits {
  double seconds;              ///< The worker's threads may run for this long, all together.
  std::uint64_t memory_bytes;  ///< The process may hold this much memory.

  /// How long a worker may take when no other process is in its way: it may wait for a GPU that
  /// others use too, or for a disk, but not sleep.
  double seconds_with_waiting() const { return 4 * seconds; }

  /// After this long there is no answer because the machine is too busy.
  double seconds_on_a_busy_machine() const { return 120 + 12 * seconds; }
};

/// A worker may have this many threads. The driver of a GPU starts a few, the emulator none.
inline constexpr std::uint64_t most_threads = 256;

/// While one lives, a call may take several times as long. For calls that take long although their
/// arrays are not large: an honest kernel may be slow.
class LongerCalls {
 public:
  LongerCalls();
  ~LongerCalls();
  LongerCalls(const LongerCalls&) = delete;
  LongerCalls& operator=(const LongerCalls&) = delete;

 private:
  double before_;
};

/// The seconds that a call on arrays of `array_bytes` in all may take, which are held in
/// `held_bytes` with what surrounds them. Few tests call with a lot, and those take longer than
/// what the limit is made for. A call on next to nothing takes milliseconds, so nobody waits long
/// for an endless one.
double time_limit_for(std::size_t array_bytes, std::size_t held_bytes);

/// The memory that a worker may hold while it works on arrays of `array_bytes` in all.
std::uint64_t memory_limit_for(std::size_t array_bytes);

}  // namespace tilelab::judge

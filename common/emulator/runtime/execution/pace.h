#pragma once

#include <time.h>

#include <cstdint>

namespace tilelab::emulator {

/// How fast the blocks of a launch end, one after the other.
class Pace {
 public:
  void launch_begins() { launch_began_ = now(); }
  void block_begins() { block_began_ = now(); }

  /// The seconds from the end of one block to that of the next. It is 0 if too few have ended to
  /// tell, or if the running one has taken much longer than those before.
  double seconds_per_block(std::uint64_t ended) const {
    constexpr std::uint64_t enough = 2;
    constexpr double usual = 4;
    if (ended < enough) return 0;
    const double each = (block_began_ - launch_began_) / static_cast<double>(ended);
    return now() - block_began_ <= usual * each ? each : 0;
  }

 private:
  /// A clock that costs a block nothing, and is async-signal-safe.
  static double now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  double launch_began_ = 0;
  double block_began_ = 0;
};

}  // namespace tilelab::emulator

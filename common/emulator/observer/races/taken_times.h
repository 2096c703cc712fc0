#pragma once

#include <array>
#include <cstdint>

#include "emulator/observer/events/lanes.h"

namespace tilelab::emulator {

/// Up to what time the logs of a block's threads were put together.
class TakenTimes {
 public:
  /// The barrier opened, and all threads are in the current epoch.
  void clear() {
    if (is_clear_) return;
    points_.fill(0);
    epochs_.fill(0);
    is_clear_ = true;
  }
  void take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number) {
    is_clear_ = false;
    for_each_thread(warp, lanes,
                    [&](unsigned thread) { points_[thread] = static_cast<std::uint16_t>(number); });
  }
  void take_epoch(unsigned warp, std::uint32_t lanes, std::uint32_t epoch) {
    is_clear_ = false;
    for_each_thread(warp, lanes, [&](unsigned thread) { epochs_[thread] = epoch; });
  }
  /// Other blocks run next: what is put together later is of this epoch.
  void park(std::uint32_t epoch) {
    is_clear_ = false;
    for (std::uint32_t& one : epochs_) {
      if (one == 0) one = epoch;
    }
  }

  std::uint32_t point(unsigned thread) const { return points_[thread]; }
  /// Which of the active lanes have passed the same point as the next one, a bit each.
  std::uint32_t like_next(unsigned warp, std::uint32_t lanes) const {
    if (is_clear_) return ~0u;
    std::uint32_t result = 0;
    std::uint32_t before = ~0u;
    unsigned i = 0;
    for_each_thread(warp, lanes, [&](unsigned thread) {
      const std::uint32_t here = point(thread);
      if (i > 0 && here == before) result |= 1u << (i - 1);
      before = here;
      ++i;
    });
    return result;
  }
  /// The epoch of what is put together next.
  std::uint32_t epoch(unsigned thread, std::uint32_t current) const {
    return epochs_[thread] != 0 ? epochs_[thread] : current;
  }

 private:
  bool is_clear_ = true;
  std::array<std::uint16_t, 1024> points_{};
  std::array<std::uint32_t, 1024> epochs_{};  ///< 0 for the current one.
};

}  // namespace tilelab::emulator

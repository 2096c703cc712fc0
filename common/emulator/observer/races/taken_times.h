#pragma once

#include <array>
#include <bit>
#include <cstdint>

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
    for_each_thread(warp, lanes,
                    [&](unsigned thread) { points_[thread] = static_cast<std::uint16_t>(number); });
  }
  void take_epoch(unsigned warp, std::uint32_t lanes, std::uint32_t epoch) {
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
    for (unsigned i = 0; lanes != 0; ++i, lanes &= lanes - 1) {
      const std::uint32_t here = point(warp * 32 + static_cast<unsigned>(std::countr_zero(lanes)));
      if (i > 0 && here == before) result |= 1u << (i - 1);
      before = here;
    }
    return result;
  }
  /// The epoch of what is put together next.
  std::uint32_t epoch(unsigned thread, std::uint32_t current) const {
    return epochs_[thread] != 0 ? epochs_[thread] : current;
  }

 private:
  template <class Function>
  void for_each_thread(unsigned warp, std::uint32_t lanes, Function function) {
    is_clear_ = false;
    for (; lanes != 0; lanes &= lanes - 1) {
      function(warp * 32 + static_cast<unsigned>(std::countr_zero(lanes)));
    }
  }

  bool is_clear_ = true;
  std::array<std::uint16_t, 1024> points_{};
  std::array<std::uint32_t, 1024> epochs_{};  ///< 0 for the current one.
};

}  // namespace tilelab::emulator

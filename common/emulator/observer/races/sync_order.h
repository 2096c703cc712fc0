#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tilelab::emulator {

/// What orders the threads of a block between two barriers: meetings at __syncwarp(), and what one
/// thread releases and another acquires.
///
/// A thread's time is the number of the last point that it passed. A warp counts its points: the
/// meetings, fences and acquisitions of its lanes. Lanes that do the same share the number.
class SyncOrder {
 public:
  static constexpr std::uint32_t most_points = (1u << 10) - 1;

  /// Forgets everything: a barrier orders all threads.
  void clear();

  /// The lanes meet at __syncwarp().
  /// @return the number of the point
  std::uint32_t meet(unsigned warp, std::uint32_t lanes);
  /// The thread passes a fence.
  /// @return the number of the point
  std::uint32_t fence(unsigned thread);
  /// The thread writes a place atomically, or a volatile variable. If it passed a fence before,
  /// whoever reads the place acquires what was written before the fence.
  void release(unsigned thread, std::uint32_t address);
  /// The thread reads such a place.
  /// @return the number of the point, or 0 if there is nothing to acquire
  std::uint32_t acquire(unsigned thread, std::uint32_t address);
  bool has_fenced(unsigned thread) const { return fence_of_[thread] != 0; }

  std::uint32_t now(unsigned thread) const { return now_[thread]; }

  /// Whether the accesses of two threads are ordered, either way.
  bool orders(unsigned a, std::uint32_t time_a, unsigned b, std::uint32_t time_b) const;

 private:
  /// By thread of the block: its accesses before this time are known.
  using Clock = std::vector<std::uint16_t>;
  struct Snapshot {
    std::uint32_t from;
    Clock clock;
  };
  struct Point {
    std::uint32_t lanes;
    bool is_meeting;
  };

  static void join(Clock& clock, const Clock& other);
  static void raise(Clock& clock, unsigned thread, std::uint32_t time);
  std::uint32_t pass_point(unsigned thread);
  const Clock* clock_at(unsigned thread, std::uint32_t time) const;
  void add_warp(Clock& clock, unsigned thread) const;
  void join_clocks(unsigned warp, std::uint32_t lanes, std::uint32_t number);
  bool meetings_lead(unsigned warp, unsigned a, std::uint32_t time_a, unsigned b,
                     std::uint32_t time_b) const;
  bool knows(unsigned a, std::uint32_t time_a, unsigned b, std::uint32_t time_b) const;

  std::array<std::vector<Point>, 32> points_;          // by warp
  std::array<std::uint16_t, 1024> now_{};              // by thread
  std::array<std::uint16_t, 1024> fence_of_{};         // by thread: its last fence, or 0
  std::unordered_map<std::uint32_t, Clock> released_;  // by place
  std::vector<std::vector<Snapshot>> acquired_;  // by thread, empty as long as nobody acquires
};

}  // namespace tilelab::emulator

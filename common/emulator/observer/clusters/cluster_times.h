#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace tilelab::emulator {

/// How often the threads of a block have arrived at the barrier of their cluster, and waited there.
/// What a thread did before it arrived for the n-th time comes before what any thread of the
/// cluster does after it has waited for the n-th time.
class ClusterTimes {
 public:
  struct Time {
    std::uint32_t arrivals = 0;
    std::uint32_t waits = 0;

    bool is_before(const Time& later) const { return arrivals < later.waits; }
  };

  explicit ClusterTimes(unsigned threads) : threads_(threads) {}

  const Time& of(unsigned thread) const { return threads_[thread].time; }
  void arrives(unsigned thread) {
    Thread& one = threads_[thread];
    one.time.arrivals = ++one.own_arrivals;
  }
  void waits(unsigned thread) { ++threads_[thread].time.waits; }

  /// The threads meet: each learns what the others waited for, and arrives no earlier than them.
  void meet(std::span<const unsigned> threads) {
    Time all{~0u, 0};
    for (const unsigned thread : threads) {
      all.arrivals = std::min(all.arrivals, of(thread).arrivals);
      all.waits = std::max(all.waits, of(thread).waits);
    }
    for (const unsigned thread : threads) threads_[thread].time = all;
  }

  std::uint32_t most_waits() const {
    std::uint32_t most = 0;
    for (const Thread& thread : threads_) most = std::max(most, thread.time.waits);
    return most;
  }

 private:
  struct Thread {
    Time time;
    std::uint32_t own_arrivals = 0;
  };
  std::vector<Thread> threads_;
};

}  // namespace tilelab::emulator

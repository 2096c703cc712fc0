#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "emulator/observer/events/scope.h"
#include "emulator/observer/races/knowledge.h"
#include "emulator/observer/races/knowledge_over_time.h"
#include "emulator/observer/races/word_history.h"

namespace tilelab::emulator {

/// What orders the accesses of a block's threads with each other, between two barriers, and with
/// those of other blocks. This is the causality order of the PTX memory model:
///
/// - A thread that passes a fence, and then writes a place atomically or as a volatile variable,
///   releases there what it knew at the fence.
/// - A thread that reads such a place, and then passes a fence, acquires that. An atomic operation
///   passes on what others released there before.
/// - Both sides must be in the scope of the other's fence and operation.
///
/// It is more generous in two respects. What a thread has fenced, others may release once they have
/// met it at a barrier or at __syncwarp(), and what it has read, they may acquire by a fence of
/// their own: the model wants both of the same thread. And a strong access needs no fence
/// before it, except under a lock.
///
/// In one respect it is stricter. If the thread that takes a lock by atomicCAS() passes no fence
/// then, another order of the threads would show it. So its unlocking releases nothing that it did
/// under the lock.
///
/// A thread's time is the number of the last point that it passed. A warp counts its points: the
/// meetings and fences of its lanes. Lanes that do the same share the number.
///
/// Source: Parallel Thread Execution ISA, "Memory Consistency Model".
class CausalityOrder {
 public:
  static constexpr std::uint32_t most_points = (1u << 10) - 1;

  /// A block begins, after barrier_opens() for it.
  /// @param number  counts the blocks of the launch as they begin
  void begin(std::uint32_t number, std::uint32_t epoch);
  /// A barrier orders all threads. What follows is of this epoch.
  void barrier_opens(std::uint32_t epoch);
  /// The block goes on after others ran.
  void resume(std::uint32_t epoch) { epoch_ = epoch; }

  std::uint32_t number() const { return number_; }
  /// The first epoch since the last barrier.
  std::uint32_t interval() const { return interval_; }

  /// The lanes meet at __syncwarp().
  /// @return the number of the point
  std::uint32_t meet(unsigned warp, std::uint32_t lanes);
  /// The thread passes a fence.
  /// @return the number of the point
  std::uint32_t fence(unsigned thread, Scope scope);
  /// The same for a block whose threads have times of another kind: all that the block did until
  /// the epoch counts as fenced, and all threads know what this one acquires.
  std::uint32_t fence_for_all(unsigned thread, Scope scope, std::uint32_t epoch);
  bool has_fenced(unsigned thread) const { return fences_.of(Scope::block)[thread] != 0; }
  /// Whether the thread has fenced, and made no atomic operation since.
  bool has_just_fenced(unsigned thread) const {
    return has_fenced(thread) && fences_.of(Scope::block)[thread] != used_fence_[thread];
  }

  /// The thread's next strong access is an atomic operation of this order.
  /// @return the number of the point
  std::uint32_t order(unsigned thread, MemoryOrder order);

  /// A strong write: of a volatile variable, or an atomic operation.
  struct Write {
    unsigned thread;
    std::uint32_t address;
    bool is_atomic;
    bool is_swap;  ///< Whether it compares and swaps.
  };
  /// What was released at a place. Who takes a lock there may not rely on what was done before
  /// without a fence.
  struct Released {
    Knowledge known;
    Knowledge for_lock;
    bool is_empty() const { return known.is_empty(); }
    void join(const Released& other) {
      known.join(other.known);
      for_lock.join(other.for_lock);
    }
  };
  /// What the thread releases by a write of that scope.
  Released released(const Write& write, Scope scope) const;
  /// Lets threads of the block acquire that.
  void release_in_block(const Write& write);
  /// What the thread did before that time, it releases: the time of its last fence, or of an
  /// operation that releases.
  std::uint32_t release_time(unsigned thread, Scope scope) const;
  /// What all threads may release to other blocks.
  const Knowledge& fenced_before_barrier() const { return fenced_; }
  /// Whether the write has an order that releases.
  bool has_release_order(unsigned thread) const;
  /// The write is done.
  void wrote(const Write& write);

  /// What the thread finds at a place in a strong read. It acquires that by its next fence, or by
  /// the order of the read.
  /// @param released  what other blocks released there
  /// @param may_take_lock  whether the read compares and swaps, and finds what it expects
  /// @return the number of the point, or 0 if there was nothing
  std::uint32_t read(unsigned thread, std::uint32_t address, const Released& released,
                     bool may_take_lock);
  /// The thread has compared and swapped, and may hold a lock then.
  void take_lock(unsigned thread, std::uint32_t address);
  /// Whether it may hold one, and has passed no fence since it took it.
  bool may_hold_open_lock(unsigned thread) const;

  /// Whether no thread has anything to release, so that strong accesses change nothing.
  bool is_quiet() const {
    return !any_fence_.block && next_.empty() && in_block_.empty() && locks_.empty() &&
           fenced_.is_empty();
  }

  std::uint32_t now(unsigned thread) const { return now_[thread]; }

  /// Up to which times what lanes of a warp did comes before something that one of them does: they
  /// met it then, and had fenced that for their block, or for all.
  struct LanesBefore {
    using Times = std::array<std::uint16_t, 32>;
    Times met{};
    Times fenced_for_block{};
    Times fenced_for_device{};
  };
  /// Whether lanes of the thread's warp have met since the barrier.
  bool have_met(unsigned thread) const;
  LanesBefore lanes_before(unsigned thread) const;
  /// Whether the thread, or its block in an interval from that one on, has passed a fence for its
  /// block, and none for all blocks after it.
  /// @param after  the fence comes after this time, if the thread has passed it in this interval
  bool has_narrow_fence(const AccessRecord& access, std::uint32_t after,
                        std::uint32_t interval) const;

  /// What the thread has seen of other blocks, with or without a fence.
  const Knowledge& seen(unsigned thread) const { return seen_.now(thread); }

  /// Someone's access, in the epoch of whoever asks.
  struct Access {
    unsigned thread;
    std::uint32_t time;
    bool is_strong = false;
  };
  /// Whether two accesses since the last barrier are ordered, either way.
  bool orders(const Access& a, const Access& b) const { return leads(a, b) || leads(b, a); }
  /// Whether the first one comes before the other.
  bool leads(const Access& earlier, const Access& now) const;
  /// Whether `now` comes after another block's access.
  bool knows(const Access& now, std::uint32_t block, std::uint32_t epoch,
             const Access& earlier) const;

  /// Whether any thread has learned anything of other blocks.
  bool knows_others() const { return !acquired_.is_empty() || !seen_.is_empty(); }

 private:
  struct Point {
    std::uint32_t lanes;
    bool is_meeting;
  };
  /// Something for each scope.
  template <class T>
  struct ByScope {
    T block{};
    T device{};
    T& of(Scope scope) { return scope == Scope::block ? block : device; }
    const T& of(Scope scope) const { return scope == Scope::block ? block : device; }
  };
  static constexpr unsigned most_threads = 1024;
  using Times = std::array<std::uint16_t, most_threads>;
  /// By thread. Empty as long as no thread has any.
  using ByThread = std::vector<Knowledge>;
  struct Lock {
    std::uint32_t address;
    std::uint32_t taken;         ///< When.
    ByScope<unsigned> fences{};  ///< How many the thread has passed since.
  };

  /// An operation that the thread is about to make.
  struct Operation {
    MemoryOrder order;
    std::uint32_t point;
  };

  std::uint32_t pass_point(unsigned thread);
  void note_read(unsigned thread, const Knowledge& released, Scope scope);
  Knowledge take_read(unsigned thread, Scope fence);
  void add_fenced(unsigned thread, Scope scope, std::uint32_t fence,
                  std::span<std::uint16_t, 32> lanes) const;
  bool ends_with_narrow_fence() const;
  Knowledge of_interval(const Times& times, unsigned first, unsigned count) const;
  Knowledge fenced_in_interval() const;
  void join_lanes(unsigned warp, std::uint32_t lanes, std::uint32_t number);
  bool meetings_lead(const Access& a, const Access& b) const;
  bool knows_in_block(const Access& now, const Access& earlier) const;

  std::uint32_t number_ = 0;
  std::uint32_t interval_ = 0;
  std::uint32_t epoch_ = 0;
  std::uint32_t narrow_interval_ = 0;  ///< The last one whose last fence was for the block only.

  // Since the last barrier.
  std::array<std::vector<Point>, 32> points_;     ///< By warp.
  Times now_{};                                   ///< By thread.
  ByScope<Times> fences_;                         ///< By thread: its last one, or 0.
  ByScope<bool> any_fence_;                       ///< Whether there is one.
  Times used_fence_{};                            ///< By thread: a fence with a write after it.
  std::unordered_map<unsigned, Lock> locks_;      ///< By thread.
  std::unordered_map<unsigned, Operation> next_;  ///< By thread.
  ByScope<ByThread> read_;                        ///< What waits for a fence.
  std::unordered_map<std::uint32_t, Released> in_block_;  ///< What was released, by place.

  // Of all threads, since the block began.
  KnowledgeOverTime acquired_;   ///< By a fence.
  KnowledgeOverTime seen_;       ///< Without one.
  Knowledge fenced_;             ///< All threads may release this to other blocks.
  ByScope<Knowledge> unfenced_;  ///< Each thread acquires this by its next fence.
};

}  // namespace tilelab::emulator

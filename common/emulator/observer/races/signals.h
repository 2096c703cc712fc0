#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "emulator/observer/races/word_history.h"

namespace tilelab::emulator {

/// What blocks of a launch tell each other by flags and locks, whether or not fences make it count.
/// It says why two accesses are not ordered.
class Signals {
 public:
  static constexpr const char* no_fence_after =
      "the later one has seen the other's signal, but passed no __threadfence() after it";

  /// A thread writes a place atomically, or as a volatile variable.
  struct Signal {
    std::uint32_t block;     ///< The number of its block.
    std::uint32_t interval;  ///< The first epoch since the block's last barrier.
    std::uint32_t epoch;     ///< When.
    unsigned thread;
    std::uint32_t time;          ///< When, as the thread counts it.
    std::uint32_t block_fence;   ///< What it did before is fenced for its block; 0 if nothing is.
    std::uint32_t device_fence;  ///< The same for all blocks.
    bool fenced_before_barrier;  ///< Whether it fenced for all blocks before the barrier.
    bool is_of_block;            ///< Whether the operation has the scope of a block.
    bool is_of_several = false;  ///< Whether other threads of the block signal there, too.
  };
  /// A thread of the running block has read that.
  struct Heard {
    Signal signal;
    std::uint32_t interval;  ///< The first epoch since the barrier before.
    unsigned thread;
    bool is_of_block;         ///< Whether it read in the scope of a block.
    std::uint32_t order = 0;  ///< Counts what the block's threads heard. 0 for nothing.
  };
  /// What they heard last, each of each block. Of many, some are forgotten.
  class AllHeard {
   public:
    void add(Heard heard);
    void clear() { slots_.clear(); }
    auto begin() const { return slots_.begin(); }
    auto end() const { return slots_.end(); }

   private:
    static constexpr std::size_t most = 256;

    std::vector<Heard> slots_;  ///< Empty while nothing is heard.
    std::uint32_t count_ = 0;
  };

  void clear();
  void give(std::uint32_t address, Signal signal);
  /// Adds what others gave there.
  /// @param is_waited_for  whether a loop waits for it, or it may be a lock
  void hear(std::uint32_t address, bool is_waited_for, Heard heard, std::uint32_t block,
            AllHeard& all) const;

  /// Why a signal does not order an access of that block before one of the running block; "" if
  /// there was none.
  /// @param interval  the first epoch since the running block's last barrier
  static const char* reason(const AllHeard& all, std::uint32_t block, const AccessRecord& earlier,
                            const AccessRecord& now, std::uint32_t interval);

 private:
  // Flags and locks are few. Counters that are data are many.
  static constexpr std::size_t most_places = 64, most_blocks = 16;

  std::unordered_map<std::uint32_t, std::vector<Signal>> places_;
  bool are_data_ = false;  ///< Whether there were so many places that they are data.
};

}  // namespace tilelab::emulator

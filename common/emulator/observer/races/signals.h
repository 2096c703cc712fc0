#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/observer/findings/reason.h"
#include "emulator/observer/races/causality_order.h"
#include "emulator/observer/races/knowledge.h"
#include "emulator/observer/races/word_history.h"

namespace tilelab::emulator {

class ThreadSignals;

/// What blocks of a launch tell each other by flags, locks and counters, whether or not fences make
/// it count. It says why two accesses are not ordered.
class Signals {
 public:
  struct Heard;
  using HeardBefore = std::shared_ptr<const std::vector<Heard>>;

  /// A thread writes a place atomically, or as a volatile variable.
  struct Signal {
    std::uint32_t block;     ///< The number of its block.
    std::uint32_t interval;  ///< The first epoch since the block's last barrier.
    std::uint32_t epoch;     ///< When.
    unsigned thread;
    std::uint32_t time;          ///< When, as the thread counts it.
    std::uint32_t block_fence;   ///< What it did before is fenced for its block; 0 if nothing is.
    std::uint32_t device_fence;  ///< The same for all blocks.
    Knowledge fenced_before_barrier;  ///< What the block had fenced for all blocks by then.
    bool is_of_block;                 ///< Whether the operation has the scope of a block.
    Knowledge seen;                   ///< What the thread has seen of other blocks' accesses.
    /// What lanes of its warp did before they met it; null if they have not met.
    std::shared_ptr<const CausalityOrder::LanesBefore> lanes;
    HeardBefore heard_before;    ///< The last of what its block has heard; null for nothing.
    bool is_of_several = false;  ///< Whether other threads of the block signal there, too.
  };
  /// A thread of the running block has read that.
  struct Heard {
    Signal signal;
    std::uint32_t address;   ///< Where.
    std::uint32_t interval;  ///< The first epoch since the barrier before.
    unsigned thread;
    std::uint32_t time;       ///< When, as the thread counts it.
    bool is_of_block;         ///< Whether it read in the scope of a block.
    bool is_counted = false;  ///< Whether it updated a counter there, and no fence was before.
    std::uint32_t order = 0;  ///< Counts what the block's threads heard. 0 for nothing.
  };
  /// What they heard last, each of each block. Of many, some are forgotten.
  class AllHeard {
   public:
    void add(Heard heard);
    void clear() { *this = {}; }
    bool are_many() const { return count_ >= most; }
    /// What the thread heard last of the block; null for nothing.
    const Heard* find(std::uint32_t block, unsigned thread) const;
    /// The last of them, without what came before each.
    HeardBefore latest();
    auto begin() const { return slots_.begin(); }
    auto end() const { return slots_.end(); }

   private:
    static constexpr std::size_t most = 256, most_latest = 4;

    static std::size_t slot_of(std::uint32_t block, unsigned thread) {
      return (std::size_t{block} * 33 + thread) % most;
    }
    void add_latest(Heard heard);

    std::vector<Heard> slots_;  ///< Empty while nothing is heard.
    std::uint32_t count_ = 0;
    std::vector<Heard> latest_;
    HeardBefore shared_latest_;  ///< Made of these for a signal; null once there are others.
  };

  void clear();
  /// Whether nothing is a signal: there were so many places that they are data.
  bool are_data() const { return are_data_; }
  /// @param is_store  whether it overwrites what others gave there, and passes nothing on
  void give(std::uint32_t address, Signal signal, bool is_store);
  /// How a thread uses what it reads.
  enum class Use {
    unknown,
    count,  ///< It updates a counter, and wants to know which value it had.
    wait    ///< A loop waits for it, or it may be a lock.
  };
  /// Adds what others gave there.
  void hear(std::uint32_t address, Use use, Heard heard, std::uint32_t block, AllHeard& all) const;

  /// The later of two accesses in no order: one of the running block.
  struct Now {
    const AccessRecord& access;
    std::uint32_t address;
    const CausalityOrder& order;  ///< Of its block.
    const ThreadSignals& waits;   ///< Of its block.
  };
  /// Why a signal does not order an access of that block before one of the running block.
  static Reason reason(const AllHeard& all, std::uint32_t block, const AccessRecord& earlier,
                       const Now& now);
  /// The same if the running block has heard just this.
  static Reason reason(const Heard& heard, const AccessRecord& earlier, const Now& now);
  /// The same for the signal of a third block, which has seen one of that block.
  static Reason reason_of_third(const AllHeard& all, std::uint32_t block,
                                const AccessRecord& earlier);
  /// The same if the later access has seen what the earlier one left.
  static Reason reason_of_seen(const Now& now);

 private:
  // Flags and locks are few. Counters that are data are many.
  static constexpr std::size_t most_places = 64, most_blocks = 16;

  std::unordered_map<std::uint32_t, std::vector<Signal>> places_;
  bool are_data_ = false;
};

/// The same for the threads of the running block, between two barriers: the last signal that each
/// gave, and the last place where it waited for one.
class ThreadSignals {
 public:
  /// @param fence  what the thread did before is fenced for its block; 0 if nothing is
  void give(unsigned thread, std::uint32_t address, std::uint32_t time, std::uint32_t fence) {
    slot(given_, thread) = {address, time, fence, 0};
  }
  void wait(unsigned thread, std::uint32_t address, std::uint32_t time) {
    Signal& waited = slot(waited_, thread);
    waited = {address, time, 0, waited.address == address ? waited.first_time : time};
  }
  void clear() {
    given_.clear();
    waited_.clear();
  }

  /// Whether the thread has waited there itself, before its access.
  bool has_waited(const AccessRecord& access, std::uint32_t address) const {
    const Signal waited = of(waited_, access.thread);
    return waited.address == address && waited.first_time <= access.sync;
  }

  /// Why a signal does not order the two accesses of the place.
  Reason reason(const AccessRecord& a, const AccessRecord& b, std::uint32_t address) const;

 private:
  struct Signal {
    std::uint32_t address = 0;  ///< 0 for none.
    std::uint32_t time = 0;     ///< As the thread counts it.
    std::uint32_t fence = 0;
    std::uint32_t first_time = 0;  ///< When it waited there for the first time.
  };
  using ByThread = std::vector<Signal>;  ///< Empty while no thread has any.

  static Signal& slot(ByThread& signals, unsigned thread) {
    if (thread >= signals.size()) signals.resize(thread + 1);
    return signals[thread];
  }
  static Signal of(const ByThread& signals, unsigned thread) {
    return thread < signals.size() ? signals[thread] : Signal{};
  }
  Reason reason_of(const AccessRecord& earlier, const AccessRecord& now,
                   std::uint32_t address) const;

  ByThread given_;
  ByThread waited_;
};

}  // namespace tilelab::emulator

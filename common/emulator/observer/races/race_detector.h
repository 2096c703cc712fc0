#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/observer/events/check.h"
#include "emulator/observer/events/code_table.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/races/word_history.h"

namespace tilelab::emulator {

/// Finds data races: accesses to one place that nothing orders, and one of them is a plain write.
///
/// The detector looks at stores twice. Before a store happens, it compares it with other stores,
/// since only then can it tell whether both leave the same value. When the warp's logs are put
/// together, it compares it with loads. It looks at loads only then: that is cheaper, and it misses
/// nothing between two barriers.
class RaceDetector final : public Check {
 public:
  explicit RaceDetector(FindingLog& findings) : findings_(findings) {}

  void launch_begins() override;
  void block_begins() override;
  void barrier_opens() override;
  void take(const WarpAccess& access) override;

  /// The thread is about to make this store, or atomic operation.
  void before_store(Event event, unsigned thread, const void* memory);
  /// The last store that before_store() was called for has happened.
  void after_store();

  /// A thread of the running block calls __threadfence(). An atomic operation after it passes on
  /// what the block wrote, to every block that does an atomic operation later.
  void fence() { fenced_ = epoch_; }

  /// A kernel allocates memory that another thread may have used and freed.
  void forget(std::uint32_t begin, std::size_t bytes);

  /// The lanes meet at __syncwarp().
  /// @return the meeting's number in the warp, counted from the last barrier
  std::uint32_t sync(unsigned warp, std::uint32_t lanes);
  /// The lanes' logs were put together up to that meeting.
  void take_sync(unsigned warp, std::uint32_t lanes, std::uint32_t number);

 private:
  struct BlockBegin {
    std::uint32_t epoch;
    uint3 index;
    std::uint32_t released = 0;  ///< Until which epoch other blocks may read what it wrote.
  };
  /// A store that conflicts with an earlier one.
  struct PendingStore {
    bool is_pending = false;
    const void* memory;
    std::array<unsigned char, 16> before;
    std::uint32_t address;
    unsigned bytes;
    AccessRecord first;
    AccessRecord second;
  };

  const BlockBegin* begin_of(std::uint32_t epoch) const;
  uint3 block_of(std::uint32_t epoch) const;
  void pass_on_memory();
  AccessRecord record(Code code, unsigned thread, unsigned sync, unsigned bytes);
  Code code_in(const AccessRecord& record) const;
  AccessKind kind_in(const AccessRecord& record) const;
  bool conflict(const AccessRecord& earlier, const AccessRecord& now, bool is_shared) const {
    if ((earlier.bytes & now.bytes) == 0) return false;
    // Most accesses to shared memory are a barrier apart.
    if (is_shared && earlier.epoch != epoch_) return false;
    return is_unordered(earlier, now);
  }
  bool is_unordered(const AccessRecord& earlier, const AccessRecord& now) const;
  bool ordered_in_block(const AccessRecord& earlier, const AccessRecord& now) const;
  bool ordered_between_blocks(const AccessRecord& earlier) const;
  bool ordered_in_warp(const AccessRecord& a, const AccessRecord& b) const;
  bool leads_to(unsigned warp, const AccessRecord& a, const AccessRecord& b) const;

  void add_finding(report::FindingKind kind, std::uint32_t address, unsigned bytes,
                   const AccessRecord& first, const AccessRecord& second);
  FindingLog::Party party(const AccessRecord& record) const;

  template <class Function>
  void for_each_word(const WarpAccess& access, Function function);
  void take_load(WordHistory& word, const AccessRecord& now, std::uint32_t address, bool is_shared,
                 unsigned bytes);
  void take_store(WordHistory& word, const AccessRecord& now, std::uint32_t address, bool is_shared,
                  unsigned bytes);
  void remember_read(WordHistory& word, const AccessRecord& now, bool is_shared) const;

  FindingLog& findings_;
  WordHistories histories_;
  CodeTable sites_;

  std::uint32_t epoch_ = 1;
  std::uint32_t launch_begin_ = 1;
  std::uint32_t block_begin_ = 1;
  std::vector<BlockBegin> blocks_;
  std::uint32_t fenced_ = 0;   ///< The epoch of the last fence.
  bool has_acquired_ = false;  ///< Whether the block may read what earlier ones released.

  std::array<std::vector<std::uint32_t>, 32> syncs_;  ///< By warp: who met since the barrier.
  std::array<std::uint16_t, 1024> sync_now_{};        ///< By thread: its last meeting.
  std::array<std::uint16_t, 1024> sync_taken_{};      ///< By thread: up to where logs were taken.
  PendingStore pending_;
};

}  // namespace tilelab::emulator

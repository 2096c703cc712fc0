#pragma once

#include <array>
#include <functional>
#include <utility>
#include <vector>

#include "emulator/observer/counts/code_table.h"
#include "emulator/observer/memory/byte_set.h"
#include "emulator/observer/merge/warp_request.h"
#include "emulator/observer/races/word_history.h"
#include "report/finding.h"

/// Finds accesses that nothing orders, and reads of what nobody wrote.
namespace tilelab::emulator {

/// Stores are looked at twice. Before they happen, against other stores: only then can be told
/// whether both leave the same value. When the warp's logs are put together, against loads, which
/// are looked at only then: it is cheaper, and between two barriers nothing is lost by it.
class RaceDetector {
 public:
  struct Party {
    Code code;
    std::uint32_t epoch;
    unsigned thread;
  };
  /// What is found, in terms of the detector.
  struct Hit {
    report::FindingKind kind;
    std::uint32_t address;
    unsigned bytes;
    bool has_first;
    Party first;
    Party second;
    unsigned count = 1;
  };
  using Report = std::function<void(const Hit&)>;

  explicit RaceDetector(Report report) : report_(std::move(report)) {}

  void launch_begins();
  void block_begins(uint3 index);
  void barrier();
  uint3 block_of(std::uint32_t epoch) const;

  /// Before the store, or the atomic operation, that the event is about.
  void before_store(Event event, unsigned thread, const void* memory);
  /// The store that was told of last is done.
  void after_store();

  /// A thread of the running block calls __threadfence(). With an atomic operation after it, the
  /// block hands on what it wrote to every block that does an atomic operation later.
  void fence() { fenced_ = epoch_; }

  void take(const WarpAccess& access, unsigned warp);

  /// The lanes meet at __syncwarp(): as it happens, and when their logs are put together.
  /// @return the meeting's number in the warp, counted from the barrier
  std::uint32_t sync(unsigned warp, std::uint32_t lanes);
  void take_sync(unsigned warp, std::uint32_t lanes, std::uint32_t number);

  // Memory that somebody wrote, by compressed address.
  void mark_written(std::uint32_t begin, std::size_t bytes);
  void mark_unwritten(std::uint32_t begin, std::size_t bytes);

 private:
  struct BlockBegin {
    std::uint32_t epoch;
    uint3 index;
    std::uint32_t released = 0;  ///< until when other blocks may read what it wrote
  };
  struct PendingStore {
    bool is_pending = false;
    const void* memory;
    std::array<unsigned char, 16> before;
    Hit hit;
  };

  const BlockBegin* begin_of(std::uint32_t epoch) const;
  void pass_on_memory();
  AccessRecord record(Code code, unsigned thread, unsigned sync, unsigned bytes);
  Party party(const AccessRecord& record) const;
  bool is_atomic(const AccessRecord& record) const;
  bool conflict(const AccessRecord& earlier, const AccessRecord& now, bool is_shared) const;
  bool ordered_in_warp(const AccessRecord& a, const AccessRecord& b) const;
  bool leads_to(unsigned warp, const AccessRecord& a, const AccessRecord& b) const;

  template <class Function>
  void for_each_word(const WarpAccess& access, unsigned warp, Function function);
  void take_load(WordHistory& word, const AccessRecord& now, std::uint32_t address, bool is_shared,
                 unsigned bytes);
  void take_store(WordHistory& word, const AccessRecord& now, std::uint32_t address, bool is_shared,
                  unsigned bytes);
  void remember_read(WordHistory& word, const AccessRecord& now, bool is_shared) const;
  void check_written(const WarpAccess& access, unsigned warp);
  void note_written(const WarpAccess& access);
  ByteSet& written(std::uint32_t address) {
    return space_of(address) == MemorySpace::shared ? shared_written_ : global_written_;
  }
  /// What memory outside of this is, was written by somebody before.
  static bool can_be_unwritten(std::uint32_t address) { return address < space_base::variables; }

  Report report_;
  WordHistories histories_;
  CodeTable sites_;
  ByteSet global_written_{space_base::shared};
  ByteSet shared_written_{space_base::variables};

  std::uint32_t epoch_ = 1;
  std::uint32_t launch_begin_ = 1;
  std::uint32_t block_begin_ = 1;
  std::vector<BlockBegin> blocks_;
  std::uint32_t fenced_ = 0;   ///< the epoch of the last fence
  bool has_acquired_ = false;  ///< the running block may read what earlier ones released

  std::array<std::vector<std::uint32_t>, 32> syncs_;  ///< lanes, since the barrier, by warp
  std::array<std::uint16_t, 1024> sync_now_{};        ///< by thread
  std::array<std::uint16_t, 1024> sync_taken_{};
  PendingStore pending_;
};

}  // namespace tilelab::emulator

#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/observer/events/check.h"
#include "emulator/observer/events/code_table.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/races/async_order.h"
#include "emulator/observer/races/copy_histories.h"
#include "emulator/observer/races/sync_order.h"
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
  bool looks_at_threads() const override { return true; }
  /// All blocks of the running cluster have met.
  void cluster_barrier_opens();
  void grid_barrier_opens() override { launch_begin_ = epoch_ + 1; }
  void take(const WarpAccess& access) override;

  /// The thread is about to make this store, or atomic operation.
  void before_store(Event event, unsigned thread, const void* memory);
  /// The last store that before_store() was called for has happened.
  void after_store();

  /// A thread of the running block passes a fence. If it is a device-wide one, an atomic operation
  /// or a store to a volatile variable after it passes on what the block wrote, to every block that
  /// reads such a place later.
  /// @return the number of the point
  std::uint32_t fence(unsigned thread, bool is_device_wide);
  /// The thread is about to make this atomic operation, or to access a volatile variable.
  /// @return the number of the point at which it acquires what others released, or 0
  std::uint32_t acquire(Event event, unsigned thread);
  /// A plain read that conflicts with another thread's atomic operation.
  struct DoubtfulRead {
    unsigned thread;
    std::uint32_t address;
    unsigned bytes;
    AccessRecord first;
    AccessRecord second;
  };
  /// The running block.
  struct RunningBlock {
    uint3 index{};
    std::uint64_t cluster = 0;        ///< The number of its cluster, or 0.
    std::vector<std::size_t> begins;  ///< Where in the list of all blocks it is.
    bool has_fenced = false;          ///< Whether a thread has passed a device-wide fence.
    bool has_acquired = false;        ///< Whether it may read what others released.
    SyncOrder order;
    std::array<std::uint16_t, 1024> point_taken{};  ///< By thread: up to where logs were taken.
    std::vector<DoubtfulRead> doubtful_reads;
    bool was_async = false;  ///< Whether it had begun begin_async() when it was taken out.
  };
  /// Takes out what belongs to the running block, while another one runs.
  RunningBlock park();
  void resume(RunningBlock block);

  /// Reports the reads that conflict with atomic operations and turned out to need the value.
  void report_reads();

  /// A kernel allocates memory that another thread may have used and freed.
  void forget(std::uint32_t begin, std::size_t bytes);

  /// The lanes meet at __syncwarp().
  /// @return the number of the point
  std::uint32_t sync(unsigned warp, std::uint32_t lanes) { return block_.order.meet(warp, lanes); }
  /// The lanes' logs were put together up to that point.
  void take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number);

  /// Where an asynchronous copy reads and writes.
  struct CopyPlace {
    Code load;
    Code store;
    std::uint32_t from;
    std::uint32_t to;
    unsigned source_bytes;
    unsigned bytes;
  };

  /// From now until the block ends, accesses come one by one to take_event() instead of take(),
  /// each before its thread tells others or learns from them.
  void begin_async();
  bool is_async() const { return async_.is_active(); }
  AsyncOrder& async() { return async_; }
  void take_event(Event event, unsigned thread);
  void copy_issued(const CopyPlace& place, unsigned thread, std::uint32_t batch,
                   std::uint32_t read_batch);
  /// What the thread has written is visible to the async proxy from now on.
  void async_proxy_fenced(unsigned thread);
  /// Whether what the copy reads was fenced, by its writer or by the thread that starts the copy.
  bool is_visible_to_proxy(const CopyPlace& place, unsigned thread);

 private:
  /// A copy that a thread of the running block has started.
  struct IssuedCopy {
    std::uint32_t batch;
    std::uint32_t read_batch;
    Code load;
    Code store;
    unsigned thread;
  };

  /// A block runs from this epoch on. One that was parked runs several times.
  struct BlockBegin {
    std::uint32_t epoch;
    uint3 index;
    std::uint64_t cluster;       ///< The number of its cluster, or 0.
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

  void skip_async_epochs();
  void end_async();
  const BlockBegin* begin_of(std::uint32_t epoch) const;
  uint3 block_of(std::uint32_t epoch) const;
  void release(Code code, unsigned thread, std::uint32_t address);
  bool is_agreed(const AccessRecord& a, const AccessRecord& b, std::uint32_t address) const;
  void doubt(const DoubtfulRead& read);
  void forgive_reads(WordHistory& word, const AccessRecord& now, std::uint32_t address);
  AccessRecord record(Code code, unsigned thread, unsigned sync, unsigned bytes);
  Code code_in(const AccessRecord& record) const;
  AccessKind kind_in(const AccessRecord& record) const;
  bool conflict(const AccessRecord& earlier, const AccessRecord& now, std::uint32_t address,
                bool is_shared) const {
    if ((earlier.bytes & now.bytes) == 0) return false;
    // Most accesses to shared memory are a barrier apart.
    if (is_shared && earlier.epoch < epoch_) return false;
    return is_unordered(earlier, now) && !is_agreed(earlier, now, address);
  }
  bool is_unordered(const AccessRecord& earlier, const AccessRecord& now) const;
  bool ordered_in_block(const AccessRecord& earlier, const AccessRecord& now) const;
  bool ordered_between_blocks(const AccessRecord& earlier) const;

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
  void remember_async_read(WordHistory& word, const AccessRecord& now) const;

  /// The bytes of the word that the access touches, a bit each.
  static constexpr std::uint32_t byte_mask(std::uint32_t address, unsigned bytes) {
    return bytes >= 4 ? 0xf : ((1u << bytes) - 1) << address % 4;
  }
  void check_copies(const AccessRecord& now, std::uint32_t address, unsigned bytes, bool is_write);
  const IssuedCopy* find_copy(std::uint32_t number) const;
  std::uint32_t number_of(const IssuedCopy& copy);
  void read_by_copy(const CopyPlace& place, unsigned thread, std::uint32_t number);
  void written_by_copy(const CopyPlace& place, unsigned thread, std::uint32_t number);
  void add_copy_finding(std::uint32_t address, unsigned bytes, const FindingLog::Party& first,
                        const FindingLog::Party& second, const char* explanation);

  FindingLog& findings_;
  WordHistories histories_;
  CodeTable sites_;

  std::uint32_t epoch_ = 1;
  std::uint32_t launch_begin_ = 1;
  std::uint32_t block_begin_ = 1;
  std::vector<BlockBegin> blocks_;
  /// By the numbers of clusters: until which epoch the blocks know what the others did.
  std::map<std::uint64_t, std::uint32_t> met_;
  RunningBlock block_;
  /// The volatile variables that the launch wrote after a fence: they are meant to be polled.
  std::unordered_set<std::uint32_t> flags_;
  PendingStore pending_;

  // For blocks with asynchronous copies. Their threads count time by what they tell others: records
  // hold the time in place of the number of meetings, and its higher bits in the epoch.
  AsyncOrder async_;
  CopyHistories copied_words_;
  std::vector<IssuedCopy> copies_;  ///< Of the running block, by number from first_copy_ on.
  std::uint32_t first_copy_ = 1;
  std::unordered_map<unsigned, AccessRecord> proxy_fences_;  ///< By thread: when it fenced last.
};

}  // namespace tilelab::emulator

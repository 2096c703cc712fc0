#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/observer/async/copy_observer.h"
#include "emulator/observer/events/analysis.h"
#include "emulator/observer/events/code_places.h"
#include "emulator/observer/events/code_table.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/findings/reason.h"
#include "emulator/observer/races/async_order.h"
#include "emulator/observer/races/causality_order.h"
#include "emulator/observer/races/copy_histories.h"
#include "emulator/observer/races/first_writes.h"
#include "emulator/observer/races/knowledge.h"
#include "emulator/observer/races/signals.h"
#include "emulator/observer/races/taken_times.h"
#include "emulator/observer/races/unexplained_races.h"
#include "emulator/observer/races/word_history.h"

namespace tilelab::emulator {

/// Adds the words of 4 bytes that an access touches.
inline void insert_words(std::unordered_set<std::uint32_t>& words, std::uint32_t address,
                         unsigned bytes) {
  for (std::uint32_t word = address / 4; word <= (address + bytes - 1) / 4; ++word) {
    words.insert(word);
  }
}

/// Finds data races: accesses to one place that nothing orders, and one of them is a plain write.
///
/// The detector looks at stores twice. Before a store happens, it compares it with other stores,
/// since only then can it tell whether both leave the same value. When the warp's logs are put
/// together, it compares it with loads. It looks at most loads only then, which is cheaper. It
/// looks at them earlier where the write that they conflict with would be forgotten until then:
/// before lanes meet, before a fence, and before a store that takes the place of another.
class RaceDetector final : public Analysis, public PointSource {
 public:
  /// @param copies  knows the copy that the running thread starts
  /// @param scopes  knows the atomic operations that only threads of one block may share
  /// @param atomics  knows the atomic loads and stores
  /// @param unread  knows the atomic operations whose old value nobody wants
  /// @param overwrites  knows the exchanges among them
  RaceDetector(FindingLog& findings, const CopyObserver& copies, const CodePlaces& scopes,
               const CodePlaces& atomics, const CodePlaces& unread, const CodePlaces& overwrites)
      : findings_(findings),
        copies_(copies),
        of_block_(scopes),
        atomics_(atomics),
        unread_(unread),
        overwrites_(overwrites) {}

  Wants wants() const override { return {.accesses = true, .thread_order = true, .stores = true}; }
  Detail needs() const override { return Detail::everything; }
  void launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) override;
  void block_begins() override;
  void block_ends() override { report_reads(); }
  void block_is_abandoned() override { report_reads(); }
  void block_parks(std::uint64_t number) override;
  void block_unparks(std::uint64_t number) override;
  void barrier_opens() override;
  void cluster_barrier_opens() override;
  void grid_barrier_opens() override { launch_begin_ = epoch_ + 1; }
  void take(const WarpAccess& access) override;
  bool before_store(Event event, unsigned thread, const void* memory) override;
  void after_store() override;
  /// A kernel may allocate memory that another thread has used and freed.
  void memory_allocated(const void* begin, std::size_t bytes) override;
  /// A thread of the running block frees memory. All others must be done with it before.
  void frees(const void* begin, std::size_t bytes, Code code, unsigned thread);

  // In blocks with asynchronous copies, or barriers of some of their threads.
  void thread_order_begins() override;
  void take_alone(Event event, unsigned thread) override;
  void threads_meet(std::span<const unsigned> ranks) override { async_.meet(ranks); }
  void copy_issued(std::uint32_t batch, std::uint32_t read_batch) override;
  void copy_reads_by_proxy(Site site) override;
  /// What the thread has written is visible to the async proxy from now on.
  void async_proxy_fenced() override;
  void copies_waited_for(std::uint32_t batch, Site site) override;
  void barrier_initialized(const void* barrier, Site site) override;
  void barrier_used(const void* barrier, const char* verb, Site site, Site initialized) override;
  void barrier_arrived(const void* barrier, std::uint64_t phase) override;
  void barrier_passed(const void* barrier, std::uint64_t phase, std::uint32_t batch,
                      Site site) override;

  // PointSource
  std::uint32_t fence(unsigned thread, Scope scope) override;
  std::uint32_t order(unsigned thread, MemoryOrder order) override {
    return block_.order.order(thread, order);
  }
  void swap_fails(unsigned thread) override { block_.failing_swaps.insert(thread); }
  void polls(Event event) override {
    insert_words(polled_, address_of(event), bytes_of(code_of(event)));
  }
  std::uint32_t read_strongly(Event event, unsigned thread, std::span<const Event> log) override;
  std::uint32_t sync(unsigned warp, std::uint32_t lanes) override;
  void take_point(unsigned warp, std::uint32_t lanes, std::uint32_t number) override;
  bool hides_write(Event event, unsigned thread) override;
  /// Looks at loads, which others may conflict with before the logs are put together, and notes
  /// writes, which others may read before.
  void take_early(unsigned thread, const Event* begin, const Event* end, bool is_first) override;
  bool was_written_before(unsigned thread, Code read, std::uint32_t byte) const override;
  std::uint32_t epoch() const override { return epoch_; }
  void take_epoch(unsigned warp, std::uint32_t lanes, std::uint32_t epoch) override;

 private:
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
    std::uint64_t cluster = 0;  ///< The number of its cluster, or 0.
    bool was_parked = false;
    CausalityOrder order;
    TakenTimes taken;
    Signals::AllHeard heard;
    ThreadSignals of_threads;
    std::unordered_set<unsigned> failing_swaps;     ///< Threads whose next one changes nothing.
    std::array<std::uint16_t, 1024> early_point{};  ///< By thread: up to where it was taken early.
    FirstWrites first_writes;
    std::vector<DoubtfulRead> doubtful_reads;
    /// How often conflicts of loads were found early. They are found again when logs are put
    /// together.
    std::unordered_map<std::uint64_t, unsigned> early_conflicts;
    bool was_async = false;  ///< Whether it was in thread order when it was taken out.
  };
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
    std::uint64_t cluster;  ///< The number of its cluster, or 0.
    std::uint32_t number;   ///< Counts the blocks as they begin.
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

  /// Reports the reads that conflict with atomic operations and turned out to need the value.
  void report_reads();
  void skip_async_epochs();
  void end_async();
  const BlockBegin* begin_of(std::uint32_t epoch) const;
  uint3 block_of(std::uint32_t epoch) const;
  bool is_strong(Code code) const;
  /// Whether signals change nothing: nobody has released anything, or is about to.
  bool is_quiet() const {
    return released_.empty() && block_.order.is_quiet() && !async_.is_active();
  }
  /// Whether a condition of a loop waits for it.
  bool is_polled(std::uint32_t address) const { return polled_.contains(address / 4); }
  bool is_device_wide(Code code, std::uint32_t address) const;
  void pass_on(const CausalityOrder::Released& released, std::uint32_t address, bool is_atomic);
  void give_signal(Code code, unsigned thread, std::uint32_t address);
  void hear_signal(Code code, unsigned thread, std::uint32_t address, std::span<const Event> log);
  void write_strongly(Code code, unsigned thread, std::uint32_t address);
  bool is_agreed(const AccessRecord& a, const AccessRecord& b, std::uint32_t address) const;
  bool is_news(const AccessRecord& write, const AccessRecord& load, std::uint32_t address);
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
  /// The write of one of these bytes that is in no order with the access; null if there is none.
  const AccessRecord* conflicting_write(const WordHistory& word, const AccessRecord& now,
                                        std::uint32_t address, bool is_shared) {
    if (conflict(word.write, now, address, is_shared)) return &word.write;
    return word.is_split() ? conflicting_part(now, address, is_shared) : nullptr;
  }
  /// The same, of the word's writes before the last one.
  const AccessRecord* conflicting_part(const AccessRecord& now, std::uint32_t address,
                                       bool is_shared);
  bool is_later(const AccessRecord& other, const AccessRecord& now) const;
  bool is_unordered(const AccessRecord& earlier, const AccessRecord& now) const;
  bool ordered_in_block(const AccessRecord& earlier, const AccessRecord& now) const;
  bool ordered_between_blocks(const AccessRecord& earlier, const AccessRecord& now) const;
  CausalityOrder::Access access_in(const AccessRecord& record) const;
  bool is_atomic(const AccessRecord& record) const;
  bool are_in_scope(const AccessRecord& earlier, const AccessRecord& now) const;
  bool are_of_one_width(const AccessRecord& earlier, const AccessRecord& now) const;
  bool may_share(const AccessRecord& earlier, const AccessRecord& now) const;

  void add_finding(report::FindingKind kind, std::uint32_t address, unsigned bytes,
                   const AccessRecord& first, const AccessRecord& second);
  Party party(const AccessRecord& record) const;
  Reason reason_for(const AccessRecord& earlier, const AccessRecord& now,
                    std::uint32_t address) const;
  Reason reason_in_order(const AccessRecord& earlier, const AccessRecord& now,
                         std::uint32_t address) const;
  void explain_races(unsigned thread, std::span<const Event> log);

  std::uint32_t lanes_to_take(const WarpAccess& access) const;
  void take_load(WordHistory& word, const AccessRecord& now, std::uint32_t address, bool is_shared,
                 unsigned bytes);
  void take_store(WordHistory& word, const AccessRecord& now, std::uint32_t address, bool is_shared,
                  unsigned bytes);
  bool adds_nothing(const WordHistory& word, unsigned thread, bool is_shared) const;
  void remember_read(WordHistory& word, const AccessRecord& now, bool is_shared) const;
  void remember_async_read(WordHistory& word, const AccessRecord& now) const;

  void check_copies(const AccessRecord& now, std::uint32_t address, unsigned bytes, bool is_write);
  WordHistory* words_of_barrier(const void* barrier);
  void find_overwritten(const void* barrier, const char* verb, Site site);
  const IssuedCopy* find_copy(std::uint32_t number) const;
  std::uint32_t number_of(const IssuedCopy& copy);
  void read_by_copy(const CopyPlace& place, unsigned thread, std::uint32_t number);
  void written_by_copy(const CopyPlace& place, unsigned thread, std::uint32_t number);
  void add_finding(report::FindingKind kind, std::uint32_t address, unsigned bytes,
                   const Party& first, const Party& second, const char* explanation);
  /// Whether what the copy reads was fenced, by its writer or by the thread that starts the copy.
  bool is_visible_to_proxy(const CopyPlace& place, unsigned thread);

  FindingLog& findings_;
  bool is_early_ = false;  ///< Whether a load is looked at before the logs are put together.
  const CopyObserver& copies_;
  const CodePlaces& of_block_;    ///< The atomic operations in the scope of a block.
  const CodePlaces& atomics_;     ///< The atomic loads and stores.
  const CodePlaces& unread_;      ///< The atomic operations whose old value nobody wants.
  const CodePlaces& overwrites_;  ///< The exchanges among them.
  WordHistories histories_;
  CodeTable sites_;

  std::uint32_t epoch_ = 1;
  std::uint32_t launch_begin_ = 1;
  std::uint32_t block_begin_ = 1;
  std::vector<BlockBegin> blocks_;
  std::uint32_t begun_blocks_ = 0;
  /// What blocks have released for others, by place.
  std::unordered_map<std::uint32_t, CausalityOrder::Released> released_;
  /// By the numbers of clusters: until which epoch the blocks know what the others did.
  std::map<std::uint64_t, std::uint32_t> met_;
  RunningBlock block_;
  std::map<std::uint64_t, RunningBlock> parked_;  ///< By the numbers of blocks that wait.
  /// The volatile variables that the launch wrote after a fence: they are meant to be polled.
  std::unordered_set<std::uint32_t> flags_;
  Signals signals_;
  UnexplainedRaces unexplained_;
  /// The words that conditions of loops wait for.
  std::unordered_set<std::uint32_t> polled_;
  PendingStore pending_;
  std::unordered_set<Code> frees_;  ///< The calls of the launch that free memory.

  // For blocks with asynchronous copies. Their threads count time by what they tell others: records
  // hold the time in place of the number of meetings, and its higher bits in the epoch.
  AsyncOrder async_;
  CopyHistories copied_words_;
  std::vector<IssuedCopy> issued_;  ///< Of the running block, by number from first_copy_ on.
  std::uint32_t first_copy_ = 1;
  std::unordered_map<unsigned, AccessRecord> proxy_fences_;  ///< By thread: when it fenced last.
};

}  // namespace tilelab::emulator

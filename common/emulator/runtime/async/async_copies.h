#pragma once

#include <cstdint>
#include <deque>
#include <unordered_map>
#include <vector>

#include "emulated/site.h"
#include "emulator/runtime/device_limits.h"

namespace tilelab::emulator {

/// Copies that run alongside the thread that asked for them. Each belongs to a batch: what was
/// committed together, or what one phase of a barrier waits for. A copy happens at once, or when
/// its batch has to be complete: the order of the launch decides, so that both are tried.
class AsyncCopies {
 public:
  using Batch = std::uint32_t;  ///< 0 is none.

  struct Copy {
    void* to;
    const void* from;
    unsigned bytes;
    unsigned source_bytes;  ///< The rest of `bytes` becomes zero.
  };

  /// The only one in the process.
  static AsyncCopies& instance();

  /// A block begins, or leaves the device: what is still under way happens now.
  void finish_block();
  /// A block ends with a fault: what is still under way never happens.
  void forget_block();

  /// Whether the running block has started any.
  bool is_used() const { return is_used_; }

  Batch new_batch() { return ++last_batch_; }
  void issue(Batch batch, const Copy& copy, bool is_early);
  /// All copies of the batch have happened when this returns.
  void complete(Batch batch);

  /// The batch of the running thread that is not committed yet.
  Batch open_batch(unsigned rank);
  /// Closes it, and returns it.
  Batch commit(unsigned rank);
  /// Takes the oldest batch that the thread has committed, unless only `prior` are left; 0 if so.
  Batch take_oldest(unsigned rank, unsigned prior);

  /// Bulk copies of a thread out of shared memory, which it commits together. What they read is
  /// complete earlier than what they write.
  struct BulkGroup {
    Batch writes = 0;
    Batch reads = 0;
    Site site{};  ///< Where the first copy was started.
    bool has_read = false;
  };
  BulkGroup& open_bulk_group(unsigned rank, Site site);
  /// Closes it, and returns what stands for its reads; 0 if it is empty.
  Batch commit_bulk_group(unsigned rank);
  /// All of the thread's groups that are committed and not waited for, the oldest first.
  std::deque<BulkGroup>& bulk_groups(unsigned rank) { return thread(rank).bulk; }
  /// A group whose copies may still read, and nobody will wait for them; null if there is none.
  const BulkGroup* find_reading_group() const;

 private:
  struct Thread {
    Batch open = 0;
    std::deque<Batch> committed;
    BulkGroup open_bulk;
    std::deque<BulkGroup> bulk;
  };

  Thread& thread(unsigned rank);

  static inline Batch last_batch_ = 0;  ///< Of all blocks.
  bool is_used_ = false;
  std::unordered_map<Batch, std::vector<Copy>> late_;
  std::vector<Thread> threads_;  ///< Empty as long as none has a batch.
};

}  // namespace tilelab::emulator

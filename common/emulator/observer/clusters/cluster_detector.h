#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "emulator/observer/async/copy_observer.h"
#include "emulator/observer/clusters/cluster_times.h"
#include "emulator/observer/events/analysis.h"
#include "emulator/observer/events/event.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/races/uninitialized_reads.h"

namespace tilelab::emulator {

/// Watches how the blocks of a cluster use each other's shared memory: in which order, and whether
/// a block whose memory is used is there. It learns of each access in the thread's own order.
class ClusterDetector final : public Analysis {
 public:
  /// @param copies  knows the copy that the running thread starts
  /// @param reads   is told of what other blocks write
  ClusterDetector(FindingLog& findings, const CopyObserver& copies, UninitializedReads& reads)
      : findings_(findings), copies_(copies), reads_(reads) {}

  Wants wants() const override { return {.thread_order = true}; }
  Detail needs() const override { return Detail::everything; }
  void launch_begins(const KernelCall& kernel, const LaunchConfiguration& configuration) override;
  void block_begins() override;
  void block_ends() override;
  void block_unparks(std::uint64_t number) override;
  void barrier_opens() override;
  void threads_meet(std::span<const unsigned> ranks) override;
  void take_alone(Event event, unsigned thread) override;
  void copy_issued(std::uint32_t batch, std::uint32_t read_batch) override;
  void cluster_arrived() override;
  void cluster_passed() override;

 private:
  struct Record {
    ClusterTimes::Time time;
    Code code = 0;
    std::uint16_t rank = 0;
    std::uint16_t thread = 0;
    std::uint8_t bytes = 0;  ///< Of the word, a bit each. 0 is no access.
  };
  struct Word {
    Record write;
    std::array<Record, 2> reads;  ///< The last ones of two blocks.
    std::uint8_t written = 0;     ///< Which bytes were, a bit each.
  };
  /// The last access to a block's memory by another block.
  struct ForeignAccess {
    Record record;
    std::uint32_t address = 0;
    unsigned bytes = 0;
  };
  struct Block {
    ClusterTimes times;
    std::vector<Word> words;
    std::vector<ForeignAccess> foreign_accesses;  ///< By rank of the other block.
    /// What other blocks have written to the block's memory while it waited: compressed addresses
    /// and numbers of bytes.
    std::vector<std::pair<std::uint32_t, unsigned>> foreign_writes;
  };
  using Blocks = std::map<unsigned, Block>;  // by rank

  Block* own_block();
  void take_access(Event event, unsigned thread, bool is_copy);
  bool is_there(const Record& now, std::uint32_t address, unsigned bytes);
  void look_for_race(const Word& word, const Record& now, std::uint32_t address, unsigned bytes);
  void remember(Word& word, const Record& now) const;
  Party party(const Record& record) const;
  void add_exit(const ForeignAccess& access);

  FindingLog& findings_;
  const CopyObserver& copies_;
  UninitializedReads& reads_;
  bool is_active_ = false;                    ///< Whether the running launch has clusters.
  std::map<std::uint64_t, Blocks> clusters_;  ///< By their numbers.
};

}  // namespace tilelab::emulator

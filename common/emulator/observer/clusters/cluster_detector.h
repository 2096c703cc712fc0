#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "emulator/observer/clusters/cluster_times.h"
#include "emulator/observer/events/event.h"
#include "emulator/observer/findings/finding_log.h"

namespace tilelab::emulator {

/// Watches how the blocks of a cluster use each other's shared memory: in which order, and whether
/// a block whose memory is used is there. It learns of each access in the thread's own order.
class ClusterDetector {
 public:
  explicit ClusterDetector(FindingLog& findings) : findings_(findings) {}

  /// Whether the running launch has clusters.
  bool is_active() const { return is_active_; }
  void launch_begins(bool has_clusters);
  void block_begins();
  void block_ends();

  void take(Event event, unsigned thread);
  /// A thread of the running block has started an asynchronous copy to shared memory.
  void copied(std::uint32_t to, unsigned bytes, Code store, unsigned thread);
  void arrived(unsigned thread);
  void passed(unsigned thread);
  void meet(std::span<const unsigned> threads);

  /// What other blocks have written to the running block's shared memory since this was asked for
  /// last: compressed addresses and numbers of bytes.
  std::vector<std::pair<std::uint32_t, unsigned>> take_foreign_writes();

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
    std::vector<std::pair<std::uint32_t, unsigned>> foreign_writes;
  };
  using Blocks = std::map<unsigned, Block>;  // by rank

  Block* own_block();
  void take_access(Event event, unsigned thread, bool is_copy);
  bool is_there(const Record& now, std::uint32_t address, unsigned bytes);
  void look_for_race(const Word& word, const Record& now, std::uint32_t address, unsigned bytes);
  void remember(Word& word, const Record& now) const;
  FindingLog::Party party(const Record& record) const;
  void add_exit(const ForeignAccess& access);

  FindingLog& findings_;
  bool is_active_ = false;
  std::map<std::uint64_t, Blocks> clusters_;  ///< By their numbers.
};

}  // namespace tilelab::emulator

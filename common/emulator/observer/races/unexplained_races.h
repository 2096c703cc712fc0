#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "emulator/observer/races/word_history.h"
#include "report/finding_kinds.h"

namespace tilelab::emulator {

/// Races between blocks that no signal explains so far. A thread may use what its block is still
/// waiting for, and only later does another thread hear the signal.
class UnexplainedRaces {
 public:
  struct Side {
    AccessRecord record;
    std::uint32_t block;  ///< The number of its block.
  };
  struct Race {
    report::FindingKind kind;
    std::uint32_t address;
    unsigned bytes;
    std::array<Side, 2> sides;
  };

  /// Of each two places and blocks, the first one of two intervals is kept; of many, the latest.
  void add(const Race& race) {
    for (auto& known : races_) {
      if (!known || !is_like(*known, race)) continue;
      const bool is_older = known->sides[0].record.epoch < race.sides[0].record.epoch ||
                            known->sides[1].record.epoch < race.sides[1].record.epoch;
      if (is_older) known = race;
      return;
    }
    races_[next_++ % races_.size()] = race;
  }
  void clear() { *this = {}; }
  bool is_empty() const { return next_ == 0; }
  auto begin() { return races_.begin(); }
  auto end() { return races_.end(); }

 private:
  static bool is_like(const Race& a, const Race& b) {
    return std::equal(a.sides.begin(), a.sides.end(), b.sides.begin(), are_like);
  }
  /// Of a warp's other lanes another reason may hold, and most often the first warp waits.
  static bool are_like(const Side& a, const Side& b) {
    return a.block == b.block && a.record.site == b.record.site &&
           (a.record.thread < 32) == (b.record.thread < 32);
  }

  std::array<std::optional<Race>, 32> races_{};
  std::size_t next_ = 0;
};

}  // namespace tilelab::emulator

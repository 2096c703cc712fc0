#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/runtime/device_limits.h"

namespace tilelab::emulator {

/// What the threads of a block's tiles bring to the barriers of their tiles.
class TileValues {
 public:
  /// The thread arrives at its tile's barrier.
  void bring(unsigned rank, std::uint64_t value) { brought_[rank] = value; }

  /// All threads of the tile have arrived: each gets all their values.
  void exchange(unsigned first, unsigned threads) {
    const auto begin = brought_.begin() + first;
    const auto values = std::make_shared<const Values>(Values{first, {begin, begin + threads}});
    for (unsigned rank = first; rank < first + threads; ++rank) received_[rank] = values;
  }

  /// What the thread `of` brought to the barrier that the thread `reader` has passed last.
  std::uint64_t value(unsigned of, unsigned reader) const {
    return received_[reader]->values[of - received_[reader]->first];
  }

 private:
  struct Values {
    unsigned first;
    std::vector<std::uint64_t> values;
  };

  static constexpr unsigned threads_per_block = device_limits::threads_per_block;
  std::array<std::uint64_t, threads_per_block> brought_{};
  std::array<std::shared_ptr<const Values>, threads_per_block> received_{};
};

}  // namespace tilelab::emulator

#pragma once

#include <cstdint>
#include <vector>

#include "estimator/execution/block.h"
#include "estimator/timing/gpu.h"

namespace tilelab::estimator {

/// The blocks of a launch that are executed and simulated: those of one SM, or as many
/// of them as there is time for.
struct Sample {
  std::vector<BlockTrace> blocks;
  std::vector<std::uint64_t> numbers;  ///< Those of the blocks.
  double resident = 1;                 ///< How many blocks an SM holds at once.
  double per_multiprocessor = 1;       ///< How many blocks it has to run in all.
  /// Which share of a block's instructions the traces keep: 1 unless a block is too long.
  double share_kept = 1;
  double instructions = 0;      ///< of warps, in a block
  double unknown_branches = 0;  ///< The share of branches that depend on values that nobody knows.
  double unlike = 0;            ///< How much what the traces keep differs from the rest, 0 to 1.

  bool is_cut() const { return share_kept < 1; }
};

/// Executes blocks from all over a launch.
Sample sample_blocks(const Work& work, const Gpu& gpu);

}  // namespace tilelab::estimator

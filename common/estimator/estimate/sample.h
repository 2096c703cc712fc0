#pragma once

#include <cstdint>
#include <vector>

#include "estimator/estimate/lengths.h"
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
  /// How much of the mean block's instructions a trace keeps: 1 unless blocks are too long or do
  /// unequal work.
  double share_kept = 1;
  bool is_cut = false;             ///< Whether the first block was too long.
  double instructions = 0;         ///< of warps, in a block
  Lengths lengths;                 ///< Of the blocks that were executed to their ends.
  double longest_simulated = 1;    ///< The longest whole block here, as a multiple of their mean.
  std::vector<bool> follows_data;  ///< The instructions that access global memory where data say.
  double unknown_branches = 0;  ///< The share of branches that depend on values that nobody knows.
  double unlike = 0;            ///< How much what the traces keep differs from the rest, 0 to 1.
};

/// Executes blocks from all over a launch.
Sample sample_blocks(const Work& work, const Gpu& gpu);

}  // namespace tilelab::estimator

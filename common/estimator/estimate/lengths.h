#pragma once

#include <cstdint>
#include <vector>

#include "estimator/execution/block.h"

namespace tilelab::estimator {

/// How much work the blocks of a launch have, in steps of warps. A block is as long as its longest
/// warp.
struct Lengths {
  double blocks = 0;        ///< How many are known.
  double mean = 0;          ///< The mean of their steps.
  double deviation = 0;     ///< How far a block's steps are from the mean, as a share of it.
  double mean_longest = 0;  ///< The mean of their lengths.
  double longest = 1;       ///< The longest, as a multiple of the mean one.
};

/// Of blocks that were executed to their ends.
Lengths lengths_of(const std::vector<BlockTrace>& blocks);

/// Adds blocks of which one warp is executed, another one in each, as far as there is time.
/// @param blocks   those that are known
/// @param numbers  those of the others
Lengths with_more(const std::vector<BlockTrace>& blocks, const Work& work,
                  const std::vector<std::uint64_t>& numbers);

/// How much longer than its mean warp a block is.
double unequal_warps(const BlockTrace& block);

}  // namespace tilelab::estimator

#pragma once

#include <set>
#include <vector>

#include "estimator/code/instruction.h"
#include "estimator/estimate/sample.h"
#include "estimator/execution/block.h"
#include "estimator/execution/memory.h"
#include "estimator/execution/trace.h"
#include "estimator/timing/gpu.h"
#include "estimator/timing/misses.h"

namespace tilelab::estimator {

/// Which share of what blocks touch has to come from DRAM: an array comes once, however many blocks
/// touch it.
/// @param warm  the arrays that are in the L2 cache
Misses misses_of(const Sample& sample, const Work& work, const std::set<int>& warm, const Gpu& gpu);

/// The arrays that a launch writes.
std::set<int> outputs(const std::vector<BlockTrace>& blocks, const Function& function,
                      const Memory& memory);

}  // namespace tilelab::estimator

#pragma once

#include <vector>

#include "estimator/code/instruction.h"
#include "estimator/execution/trace.h"
#include "estimator/timing/gpu.h"
#include "estimator/timing/memory_system.h"
#include "estimator/timing/misses.h"
#include "estimator/timing/stall.h"

namespace tilelab::estimator {

/// How an SM is set up for a launch.
struct Setup {
  int resident_blocks = 1;  ///< How many blocks it runs at once.
  double cache_bytes = 0;   ///< What shared memory leaves for the L1 cache.
  double neighbors = 1;     ///< How many SMs are at work.
};

/// What one SM did.
struct Timing {
  double cycles = 0;
  double half_cycles = 0;    ///< When half of the instructions were issued.
  std::vector<double> ends;  ///< When each block ended, in ascending order.
  PerStall states{};         ///< The cycles that warps spent in each state, added up.
  /// Those that they waited for each instruction, which may be the next one itself.
  std::vector<double> waits;
  double issued = 0;        ///< The instructions of warps that were issued.
  double l1_busy = 0;       ///< The cycles that the L1 cache and shared memory worked.
  double local_misses = 0;  ///< The share of lines of local memory that had left the L1 cache.
  double local_stores = 0;  ///< The sectors of local memory that were stored.
  Traffic traffic;
};

/// Runs blocks on one SM, cycle by cycle.
Timing time_blocks(const Function& function, const std::vector<BlockTrace>& blocks,
                   const Setup& setup, const Gpu& gpu, const Misses& misses);

}  // namespace tilelab::estimator

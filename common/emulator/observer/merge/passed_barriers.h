#pragma once

#include <array>
#include <cstdint>
#include <set>
#include <tuple>
#include <vector>

#include "emulated/site.h"
#include "emulator/observer/findings/finding_log.h"
#include "emulator/observer/merge/lane_log.h"
#include "vector_types.h"

namespace tilelab::emulator {

/// Finds threads that go past a barrier at which other lanes of their warp wait, as thread 0 does
/// in `if (threadIdx.x > 0) __syncthreads(); out[i] = ...;`. Hardware reports such divergence. It
/// does not report threads that end before the barrier: those no longer count.
class PassedBarriers {
 public:
  using Lanes = std::array<const LaneLog*, 32>;  ///< By lane; null where a lane has no log.

  /// Looks at a warp of which some lanes wait at a barrier and others have ended since the last
  /// one.
  void look(const Lanes& lanes, std::uint32_t waiting, std::uint32_t ended, unsigned first_rank,
            Site barrier, ControlFlow& control_flow);

  /// Reports what has turned out to be a passage, now that all paths of the launch are known.
  void launch_ends(const ControlFlow& control_flow, FindingLog& findings);

 private:
  /// A thread that did so.
  struct Passage {
    Site barrier;
    uint3 block;
    unsigned thread;       ///< The thread's rank in the block.
    Code code;             ///< Where it went on: a place that the others come to after the barrier.
    BlockId waits;         ///< The basic block in which the others wait.
    BlockId passes;        ///< The basic block of that place.
    bool accesses_memory;  ///< Whether it accessed memory there.
  };

  std::vector<Passage> candidates_;
  std::set<std::tuple<BlockId, BlockId>> known_;
};

}  // namespace tilelab::emulator

#pragma once

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "emulator/runtime/execution/scheduler.h"

namespace tilelab::emulator {

/// All that belongs to a block while others run.
struct Scheduler::WaitingBlock {
  BlockWaits waits;
  std::uint64_t number;
  uint3 index;
  std::vector<Thread> threads;
  std::vector<unsigned> position_of;
  std::array<Warp, device_limits::threads_per_block / warp_lanes> warps;
  PositionSet runnable;
  PositionSet at_barrier;
  Barrier barrier;
  TileValues tile_values;
  unsigned living;
  unsigned at_grid_barrier;
  unsigned current;
  bool is_traced;
  Cluster* cluster;
  std::any state;                        ///< That of BlockState.
  std::vector<std::byte> shared_memory;  ///< Empty if the cluster has it.
};

}  // namespace tilelab::emulator

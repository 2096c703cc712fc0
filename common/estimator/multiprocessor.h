#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "estimator/gpu.h"
#include "estimator/instruction.h"
#include "estimator/trace.h"

namespace tilelab::estimator {

/// Why a warp does not issue. The names are those of Nsight Compute's warp states.
enum class Stall : std::uint8_t {
  selected,
  not_selected,
  wait,
  long_scoreboard,
  short_scoreboard,
  math_pipe_throttle,
  lg_throttle,
  mio_throttle,
  barrier,
  dispatch_stall,
};
constexpr int stalls = 10;

/// The traces of a block's warps.
using BlockTrace = std::vector<Trace>;

/// Which share of the sectors that a block is the first in it to touch has to come from DRAM. The
/// others were brought to the L2 cache for another block, or by the launch before.
struct Misses {
  struct Range {
    std::uint64_t first_line = 0;
    std::uint64_t end_line = 0;
    double share = 1;         ///< of what no earlier block touches
    double shared_share = 1;  ///< of the rest
    std::uint64_t bytes = 0;
  };
  std::vector<Range> ranges;

  double of(std::uint64_t line, bool is_shared) const {
    for (const Range& it : ranges) {
      if (line >= it.first_line && line < it.end_line) return is_shared ? it.shared_share : it.share;
    }
    return 1;
  }

  /// The size of the array that a line is in.
  std::uint64_t bytes_at(std::uint64_t line) const {
    for (const Range& it : ranges) {
      if (line >= it.first_line && line < it.end_line) return it.bytes;
    }
    return ~std::uint64_t{0};
  }
};

/// What one multiprocessor did.
struct Timing {
  double cycles = 0;
  double half_cycles = 0;  ///< when half of the instructions were issued
  std::vector<double> ends;  ///< when each block ended, ascending
  std::array<double, stalls> states{};  ///< warp-cycles
  double issued = 0;
  double l1_busy = 0;
  double l2_busy = 0;
  double dram_busy = 0;
  double dram_sectors = 0;
  double l2_sectors = 0;
};

/// Runs blocks on one multiprocessor, `resident` of them at once, cycle by cycle.
Timing time_blocks(const Function& function, const std::vector<BlockTrace>& blocks, int resident,
                   const Gpu& gpu, double l1_bytes, const Misses& misses, double neighbors);

}  // namespace tilelab::estimator

#include "estimator/estimate/extrapolation.h"

#include <algorithm>
#include <cstddef>

namespace tilelab::estimator {

namespace {

/// Blocks that were cut go on as in the second half of what was simulated, and all waves are alike.
Extrapolated whole_blocks(const Timing& timing, const Sample& sample) {
  const double longer = 1 / sample.share_kept;
  const double waves = std::max(1.0, sample.per_multiprocessor / sample.resident);
  const double second_half = timing.cycles - timing.half_cycles;
  return {(timing.cycles + 2 * second_half * (longer - 1)) * waves, longer * waves};
}

/// Further blocks take as long as those after the first wave, but no less than the L2 cache and
/// DRAM need.
Extrapolated more_blocks(const Timing& timing, const Sample& sample) {
  const auto simulated = static_cast<double>(sample.blocks.size());
  const bool has_waves = simulated > sample.resident;
  const double since = has_waves ? timing.ends[static_cast<std::size_t>(sample.resident) - 1] : 0;
  const double ended = has_waves ? simulated - sample.resident : simulated;
  const double cycles_per_block =
      std::max((timing.cycles - since) / ended, timing.traffic.busiest() / simulated);
  return {timing.cycles + (sample.per_multiprocessor - simulated) * cycles_per_block,
          sample.per_multiprocessor / simulated};
}

}  // namespace

Extrapolated extrapolated(const Timing& timing, const Sample& sample) {
  if (sample.is_cut()) return whole_blocks(timing, sample);
  if (static_cast<double>(sample.blocks.size()) < sample.per_multiprocessor) {
    return more_blocks(timing, sample);
  }
  return {timing.cycles, 1};
}

}  // namespace tilelab::estimator

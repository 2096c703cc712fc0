#include "estimator/estimate/extrapolation.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace tilelab::estimator {

namespace {

// The largest of some hundred numbers is this many deviations above their mean.
constexpr double largest_of_many = 2.5;

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
  const double longer = 1 / sample.share_kept;
  const double cycles_per_block =
      std::max((timing.cycles - since) / ended, timing.traffic.busiest() / simulated);
  return {timing.cycles + (sample.per_multiprocessor * longer - simulated) * cycles_per_block,
          sample.per_multiprocessor * longer / simulated};
}

/// How much longer than the mean one the last SM may take, as a share of the time: one block may be
/// longer than the others, or all blocks of an SM together. Blocks that start when others end make
/// up for the latter.
double end_of_last(const Sample& sample) {
  const double waves = std::max(1.0, sample.per_multiprocessor / sample.resident);
  const double of_block = (sample.lengths.longest - sample.longest_simulated) / waves;
  if (waves > 1) return of_block;
  const double of_all =
      largest_of_many * sample.lengths.deviation / std::sqrt(sample.per_multiprocessor);
  return std::max(of_block, of_all);
}

/// Where the mean is not known exactly: twice its standard error.
double error_of_mean(const Sample& sample, double blocks) {
  const double left_out = std::max(0.0, 1 - sample.lengths.blocks / blocks);
  return 2 * sample.lengths.deviation * std::sqrt(left_out / sample.lengths.blocks);
}

}  // namespace

Extrapolated extrapolated(const Timing& timing, const Sample& sample, double blocks) {
  Extrapolated made = sample.is_cut ? whole_blocks(timing, sample) : more_blocks(timing, sample);
  // Nobody knows whether warps that go on alone become faster: not at all, or as fast as all
  // together were.
  const double alone = sample.is_cut ? std::sqrt(unequal_warps(sample.blocks[0])) : 1;
  const double end = end_of_last(sample) / 2;
  made.cycles *= alone * (1 + end);
  made.spread = error_of_mean(sample, blocks) + (alone - 1) + end / (1 + end);
  return made;
}

}  // namespace tilelab::estimator

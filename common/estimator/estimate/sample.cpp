#include "estimator/estimate/sample.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "estimator/estimate/sharing.h"
#include "estimator/timing/occupancy.h"

namespace tilelab::estimator {

namespace {

// This many steps of warps are simulated, which takes about a second.
constexpr std::uint64_t most_kept = 600'000;
constexpr std::uint64_t least_kept_of_warp = 500;
// A warp that does not end after this many is given up. It takes some seconds.
constexpr std::uint64_t most_executed = 400'000'000;
// This many waves of blocks show how a launch goes on, or this many blocks.
constexpr double most_waves = 4;
constexpr double enough_blocks = 16;

// This many blocks show how much they differ.
constexpr std::uint64_t enough_unlike = 256;
// Blocks whose steps deviate from the mean by less do equal work.
constexpr double alike = 0.01;

// A block at an end of a grid that takes this many times as long does what others left.
constexpr double leftovers = 1.5;
// Beyond this many times what all waves take, nobody needs to know how long it is.
constexpr double most_of_all_waves = 16;

constexpr double golden_section = 0.6180339887498949;

/// A block in the middle has all of its neighbors.
std::uint64_t middle_block(const Launch& launch) { return launch.blocks() / 2; }

double kept_steps(const BlockTrace& block) {
  std::uint64_t sum = 0;
  for (const Trace& it : block) sum += it.steps.size();
  return static_cast<double>(sum);
}

/// How many steps of each warp are kept, if all resident blocks together keep `most_kept`.
std::uint64_t kept_of_warp(const Launch& launch, const Sample& sample) {
  const auto at_once =
      static_cast<std::uint64_t>(std::min(sample.resident, sample.per_multiprocessor));
  return std::max(most_kept / at_once / launch.warps(), least_kept_of_warp);
}

/// How many blocks are worth simulating.
/// @param steps  of a block
double wanted_blocks(const Sample& sample, double steps) {
  const double at_once = std::min(sample.per_multiprocessor, sample.resident);
  if (sample.is_cut) return at_once;
  const double fit = std::floor(static_cast<double>(most_kept) / steps);
  const double enough = std::max(most_waves * sample.resident, enough_blocks);
  const double wanted =
      std::min(sample.per_multiprocessor, std::max(at_once, std::min(fit, enough)));
  const bool is_all = wanted >= sample.per_multiprocessor;
  if (wanted <= sample.resident || is_all) return wanted;
  return std::floor(wanted / sample.resident) * sample.resident;  // whole waves
}

/// How much what a block's traces do not keep differs from the second half of what they do: the
/// share of instructions that would have to be others.
double difference(const BlockTrace& block, std::size_t code_size) {
  std::vector<double> kept(code_size), later(code_size);
  double all_kept = 0;
  double all_later = 0;
  for (const Trace& trace : block) {
    for (std::size_t i = trace.steps.size() / 2; i < trace.steps.size(); ++i) {
      ++kept[static_cast<std::size_t>(trace.steps[i].instruction)];
      ++all_kept;
    }
    for (std::size_t i = 0; i < trace.later.size(); ++i) {
      later[i] += trace.later[i];
      all_later += trace.later[i];
    }
  }
  if (all_kept == 0 || all_later == 0) return 0;
  double sum = 0;
  for (std::size_t i = 0; i < code_size; ++i) {
    sum += std::abs(kept[i] / all_kept - later[i] / all_later) / 2;
  }
  return sum * (all_later / (2 * all_kept + all_later));
}

double share_of_unknown_branches(const std::vector<BlockTrace>& blocks, const Function& function) {
  std::uint64_t unknown = 0;
  std::uint64_t all = 0;
  for (const BlockTrace& block : blocks) {
    for (const Trace& trace : block) {
      unknown += trace.unknown_branches;
      all += static_cast<std::uint64_t>(std::ranges::count_if(trace.steps, [&](const Step& it) {
        return function.code[static_cast<std::size_t>(it.instruction)].pipe == Pipe::cbu;
      }));
    }
  }
  return all == 0 ? 0 : static_cast<double>(unknown) / static_cast<double>(all);
}

/// Marks what neighbors of the first block touch: those before it along x, y and z.
void mark_shared_lines(Sample& sample, const Work& work, std::uint64_t first,
                       const Limits& limits) {
  Sectors earlier;
  const std::uint64_t row = work.launch.grid[0];
  const std::uint64_t plane = row * work.launch.grid[1];
  for (const std::uint64_t back : {std::uint64_t{1}, row, plane}) {
    const bool is_same = back == row && row == 1;
    if (back > first || is_same) continue;
    add_sectors(earlier, execute_block(work, first - back, limits));
  }
  mark_shared(sample.blocks, earlier);
}

/// The number of a block. Steps of the golden section spread over rows, columns and planes of a
/// grid alike.
std::uint64_t spread_number(const Launch& launch, std::size_t i) {
  const auto all = static_cast<double>(launch.blocks());
  const double turns = static_cast<double>(i) * golden_section;
  const auto distance = static_cast<std::uint64_t>((turns - std::floor(turns)) * all);
  return (middle_block(launch) + distance) % launch.blocks();
}

/// Measures the blocks of a sample and, if they differ or the others are cut, more.
void measure(Sample& sample, const Work& work) {
  const std::vector<BlockTrace> first(sample.blocks.begin(), sample.blocks.begin() + 1);
  const std::vector<BlockTrace>& whole = sample.is_cut ? first : sample.blocks;
  sample.lengths = lengths_of(whole);
  if (!sample.is_cut) {
    sample.longest_simulated = sample.lengths.longest;
    if (sample.lengths.deviation < alike) return;
  }
  std::vector<std::uint64_t> more;
  const auto most = std::min(enough_unlike, work.launch.blocks());
  for (std::size_t i = whole.size(); i < most; ++i) more.push_back(spread_number(work.launch, i));
  const double mean_longest = sample.lengths.mean_longest;
  sample.lengths = with_more(whole, work, more);
  if (!sample.is_cut) sample.longest_simulated *= mean_longest / sample.lengths.mean_longest;
}

/// How many steps the longest warp of a block has, or `most` if one has more.
double longest_warp(const Work& work, std::uint64_t number, double most) {
  double longest = 0;
  for (std::uint32_t warp = 0; warp < work.launch.warps() && longest < most; ++warp) {
    const std::optional<double> steps =
        measure_warp(work, number, warp, static_cast<std::uint64_t>(most));
    longest = std::max(longest, steps.value_or(most));
  }
  return longest;
}

/// Looks at the first and the last block, which often do what is left over.
void measure_ends(Sample& sample, const Work& work) {
  const double waves = std::max(1.0, sample.per_multiprocessor / sample.resident);
  const double mean = sample.lengths.mean_longest;
  const double most =
      std::min(mean * (1 + most_of_all_waves * waves), static_cast<double>(most_executed));
  for (const std::uint64_t end : {std::uint64_t{0}, work.launch.blocks() - 1}) {
    if (std::ranges::count(sample.numbers, end)) continue;
    const double longest = longest_warp(work, end, most) / mean;
    if (longest > leftovers) sample.lengths.longest = std::max(sample.lengths.longest, longest);
  }
}

}  // namespace

Sample sample_blocks(const Work& work, const Gpu& gpu) {
  const Launch& launch = work.launch;
  Sample made;
  made.resident = resident_blocks(launch, work.kernel, gpu);
  made.per_multiprocessor = std::ceil(static_cast<double>(launch.blocks()) / gpu.multiprocessors);

  const std::uint64_t first = middle_block(launch);
  Limits limits{most_executed, kept_of_warp(launch, made)};
  made.numbers.push_back(first);
  FirstBlock begun = execute_first_block(work, first, limits);
  made.follows_data = std::move(begun.follows_data);
  made.blocks.push_back(std::move(begun.traces));
  const double steps = lengths_of(made.blocks).mean;
  made.is_cut = kept_steps(made.blocks[0]) < steps;

  const double wanted = wanted_blocks(made, steps);
  if (made.is_cut) limits.most_steps = limits.kept;
  double kept = kept_steps(made.blocks[0]);
  for (std::size_t i = 1; static_cast<double>(i) < wanted; ++i) {
    made.numbers.push_back(spread_number(launch, i));
    made.blocks.push_back(execute_block(work, made.numbers.back(), limits));
    kept += kept_steps(made.blocks.back());
  }
  measure(made, work);
  measure_ends(made, work);
  made.instructions = made.lengths.mean;
  made.share_kept = kept / static_cast<double>(made.blocks.size()) / made.lengths.mean;
  if (made.is_cut) made.unlike = difference(made.blocks[0], work.function.code.size());
  mark_shared_lines(made, work, first, limits);
  made.unknown_branches = share_of_unknown_branches(made.blocks, work.function);
  return made;
}

}  // namespace tilelab::estimator

#include "estimator/estimate/lengths.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <optional>

namespace tilelab::estimator {

namespace {

// Of warps. They take about a second.
constexpr double most_measured = 600'000;
// What is stored takes room.
constexpr std::size_t most_stored = 2'000'000;

/// How many steps a block takes.
struct Length {
  double steps = 0;    ///< of all warps
  double longest = 0;  ///< of the warp that takes most
};

Length length_of(const BlockTrace& block) {
  Length made;
  for (const Trace& it : block) {
    const auto steps = static_cast<double>(it.executed);
    made.steps += steps;
    made.longest = std::max(made.longest, steps);
  }
  return made;
}

std::vector<Length> all_of(const std::vector<BlockTrace>& blocks) {
  std::vector<Length> made;
  for (const BlockTrace& it : blocks) made.push_back(length_of(it));
  return made;
}

Lengths summary(const std::vector<Length>& blocks) {
  Lengths made;
  made.blocks = static_cast<double>(blocks.size());
  double longest = 0;
  for (const Length& it : blocks) {
    made.mean += it.steps / made.blocks;
    made.mean_longest += it.longest / made.blocks;
    longest = std::max(longest, it.longest);
  }
  double squares = 0;
  for (const Length& it : blocks) squares += std::pow(it.steps - made.mean, 2);
  if (blocks.size() > 1) made.deviation = std::sqrt(squares / (made.blocks - 1)) / made.mean;
  made.longest = longest / made.mean_longest;
  return made;
}

}  // namespace

Lengths lengths_of(const std::vector<BlockTrace>& blocks) { return summary(all_of(blocks)); }

Lengths with_more(const std::vector<BlockTrace>& blocks, const Work& work,
                  const std::vector<std::uint64_t>& numbers) {
  std::vector<Length> found = all_of(blocks);
  const std::size_t stored = work.memory.count_stored();
  const std::uint32_t warps = work.launch.warps();
  double left = most_measured;
  for (const std::uint64_t number : numbers) {
    if (left <= 0 || work.memory.count_stored() - stored > most_stored) break;
    const auto warp = static_cast<std::uint32_t>(found.size()) % warps;
    const std::optional<double> steps =
        measure_warp(work, number, warp, static_cast<std::uint64_t>(most_measured));
    if (!steps) break;
    found.push_back({*steps * warps, *steps});
    left -= *steps;
  }
  return summary(found);
}

double unequal_warps(const BlockTrace& block) {
  const Length it = length_of(block);
  return it.longest * static_cast<double>(block.size()) / it.steps;
}

}  // namespace tilelab::estimator

#include "estimator/estimate/dram_traffic.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include "estimator/timing/l2_cache.h"

namespace tilelab::estimator {

namespace {

constexpr double region_sectors = 8;

/// How many sectors blocks load or store, each counted once per block.
struct Count {
  double sectors = 0;
  double shared = 0;   ///< in lines that an earlier block touches too
  double wanted = 0;   ///< without those that DRAM delivers although nobody loads them
  double regions = 0;  ///< the regions of DRAM that they lie in
  double lines = 0;
  double by_data = 0;  ///< sectors that are touched where data say
  std::unordered_set<std::uint64_t> different_lines{};
};

struct Counts {
  Count loads;
  Count stores;
};

/// What a block touches of a line.
struct Touched {
  std::uint8_t sectors = 0;
  std::uint8_t wanted = 0;  ///< without those that only come along
  bool is_shared = false;
  bool is_by_data = false;
};

using TouchedLines = std::unordered_map<std::uint64_t, Touched>;

bool is_store(Operation it) {
  return it == Operation::STG || it == Operation::REDG || it == Operation::ATOMG;
}

void add_lines(TouchedLines& loaded, TouchedLines& stored, const Trace& trace,
               const Function& function, const std::vector<bool>& follows_data) {
  for (const Step& step : trace.steps) {
    const auto number = static_cast<std::size_t>(step.instruction);
    const bool stores = is_store(function.code[number].operation);
    for (std::size_t i = step.first_line; i < std::size_t{step.first_line} + step.lines; ++i) {
      const Line& line = trace.lines[i];
      Touched& it = (stores ? stored : loaded)[line.number];
      it.wanted |= line.sectors;
      it.sectors |= stores ? line.sectors : whole_pairs(line.sectors);
      it.is_shared |= line.is_shared;
      it.is_by_data |= number < follows_data.size() && follows_data[number];
    }
  }
}

void add_counts(std::map<int, Counts>& of_arrays, const TouchedLines& lines, Count Counts::*kind,
                const Memory& memory) {
  for (const auto& [line, touched] : lines) {
    Count& count = of_arrays[memory.array_at(line * line_bytes)].*kind;
    const int sectors = std::popcount(touched.sectors);
    count.sectors += sectors;
    count.wanted += std::popcount(touched.wanted);
    count.lines += 1;
    count.different_lines.insert(line);
    if (touched.is_shared) count.shared += sectors;
    if (touched.is_by_data) count.by_data += sectors;
    // Each line of a region adds its part of it.
    const auto other = lines.find(line ^ 1U);
    count.regions += other == lines.end() || other->second.sectors == 0 ? 1 : 0.5;
  }
}

double bytes_of(const Memory& memory, int array) {
  return static_cast<double>(memory.arrays()[static_cast<std::size_t>(array)].bytes);
}

/// What is known of an array when its misses are counted.
struct Use {
  double array_sectors;
  double blocks;  ///< how often as many blocks were launched as were counted
  bool is_warm;   ///< whether the L2 cache holds the array before the launch
  bool stays;     ///< whether what a block touched stays in it until the block needs it again
  double beyond;  ///< which share of the array the L2 cache cannot hold
};

/// Whether data say which sectors of an array blocks touch that the L2 cache cannot hold.
bool is_random(const Count& count, const Use& use) {
  return use.beyond > 0 && !use.is_warm && count.by_data > count.sectors / 2;
}

/// What no earlier block touches is the first to miss.
Moved moved(const Count& count, const Use& use) {
  Moved made;
  if (count.sectors == 0) return made;
  const double touched = count.sectors * use.blocks;
  if (is_random(count, use)) {
    made.share = std::max(use.beyond, std::min(1.0, use.array_sectors / touched));
    made.shared_share = made.share;
    made.density = count.sectors / count.regions / region_sectors;
    return made;
  }
  const double share = use.is_warm ? 0 : std::min(1.0, use.array_sectors / touched);
  const double apart = 1 - count.shared / count.sectors;
  // Blocks that leave out a half of a pair meet others there that run at the same time.
  if (apart > 0) {
    made.share = std::min(
        1.0, use.stays ? share / apart : std::max(share, count.wanted / count.sectors) / apart);
  }
  if (apart < 1) made.shared_share = std::max(0.0, share - apart) / (1 - apart);
  // What one block leaves of a region, others may touch.
  made.density = std::min(
      1.0, std::max(count.sectors / count.regions / region_sectors, touched / use.array_sectors));
  return made;
}

/// To how many lines a launch stores: those that the sampled blocks store to, and as many more for
/// each other block as each of the sampled ones added.
double stored_lines(const Count& count, double sampled, double blocks) {
  const auto different = static_cast<double>(count.different_lines.size());
  if (sampled < 2) return std::max(1.0, different);
  const double added = (different - count.lines / sampled) / (sampled - 1);
  return std::max(1.0, different + std::max(0.0, added) * (blocks - sampled));
}

}  // namespace

Misses misses_of(const Sample& sample, const Work& work, const std::set<int>& warm,
                 const Gpu& gpu) {
  std::map<int, Counts> of_arrays;
  for (const BlockTrace& block : sample.blocks) {
    TouchedLines loaded, stored;
    for (const Trace& trace : block) {
      add_lines(loaded, stored, trace, work.function, sample.follows_data);
    }
    add_counts(of_arrays, loaded, &Counts::loads, work.memory);
    add_counts(of_arrays, stored, &Counts::stores, work.memory);
  }
  of_arrays.erase(-1);
  const auto blocks = static_cast<double>(work.launch.blocks());
  const double share_at_once = std::min(1.0, sample.resident * gpu.multiprocessors / blocks);
  double bytes = 0;
  for (const auto& [number, count] : of_arrays) {
    if (!warm.contains(number)) bytes += bytes_of(work.memory, number);
  }
  // Traces that are cut do not show how much a block touches until it comes back to a sector.
  const bool stays = !sample.is_cut || bytes * share_at_once <= gpu.l2_reach;
  const auto sampled = static_cast<double>(sample.blocks.size());
  const double launched = blocks / sampled / sample.share_kept;
  Misses made;
  for (const auto& [number, counts] : of_arrays) {
    const Array& array = work.memory.arrays()[static_cast<std::size_t>(number)];
    const bool is_warm = warm.contains(number);
    const Use use{bytes_of(work.memory, number) / sector_bytes, launched, is_warm, is_warm || stays,
                  std::max(0.0, 1 - gpu.l2_reach / bytes_of(work.memory, number))};
    made.are_random |= is_random(counts.loads, use);
    made.arrays.push_back({array.address / line_bytes,
                           (array.address + array.bytes + line_bytes - 1) / line_bytes,
                           stored_lines(counts.stores, sampled, blocks), moved(counts.loads, use),
                           moved(counts.stores, use)});
  }
  return made;
}

std::set<int> outputs(const std::vector<BlockTrace>& blocks, const Function& function,
                      const Memory& memory) {
  std::set<int> made;
  for (const BlockTrace& block : blocks) {
    for (const Trace& trace : block) {
      for (const Step& step : trace.steps) {
        if (step.lines == 0) continue;
        if (!is_store(function.code[static_cast<std::size_t>(step.instruction)].operation))
          continue;
        made.insert(memory.array_at(trace.lines[step.first_line].number * line_bytes));
      }
    }
  }
  made.erase(-1);
  return made;
}

}  // namespace tilelab::estimator

#include "estimator/estimate/sharing.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <map>

namespace tilelab::estimator {

namespace {

constexpr std::uint64_t line_bytes = 128;
constexpr double sector_bytes = 32;

/// How many sectors blocks touch, each counted once per block.
struct Count {
  double all = 0;
  double shared = 0;  ///< in lines that an earlier block touches too
};

/// What a block touches of a line.
struct Touched {
  std::uint8_t sectors = 0;
  bool is_shared = false;
};

void add_counts(std::map<int, Count>& of_arrays, const BlockTrace& block, const Memory& memory) {
  std::unordered_map<std::uint64_t, Touched> lines;
  for (const Trace& trace : block) {
    for (const Line& line : trace.lines) {
      Touched& it = lines[line.number];
      it.sectors |= line.sectors;
      it.is_shared |= line.is_shared;
    }
  }
  for (const auto& [line, touched] : lines) {
    Count& count = of_arrays[memory.array_at(line * line_bytes)];
    const int sectors = std::popcount(touched.sectors);
    count.all += sectors;
    if (touched.is_shared) count.shared += sectors;
  }
}

/// What no earlier block touches is the first to miss.
/// @param share  which share of all sectors that blocks touch has to come from DRAM
ArrayMisses misses_of_array(const Array& array, const Count& count, double share) {
  ArrayMisses made;
  made.first_line = array.address / line_bytes;
  made.end_line = (array.address + array.bytes + line_bytes - 1) / line_bytes;
  made.bytes = array.bytes;
  const double apart = 1 - count.shared / count.all;
  if (apart > 0) made.share = std::min(1.0, share / apart);
  if (apart < 1) made.shared_share = std::max(0.0, share - apart) / (1 - apart);
  return made;
}

bool is_store(Operation it) {
  return it == Operation::STG || it == Operation::REDG || it == Operation::ATOMG;
}

}  // namespace

void add_sectors(Sectors& into, const BlockTrace& block) {
  for (const Trace& trace : block) {
    for (const Line& line : trace.lines) into[line.number] |= line.sectors;
  }
}

void mark_shared(std::vector<BlockTrace>& blocks, const Sectors& earlier) {
  BlockTrace& first = blocks[0];
  for (Trace& trace : first) {
    for (Line& line : trace.lines) {
      const auto found = earlier.find(line.number);
      line.is_shared = found != earlier.end() && (found->second & line.sectors) == line.sectors;
    }
  }
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    for (std::size_t w = 0; w < blocks[b].size(); ++w) {
      auto& lines = blocks[b][w].lines;
      if (lines.size() != first[w].lines.size()) continue;
      for (std::size_t i = 0; i < lines.size(); ++i) {
        lines[i].is_shared = first[w].lines[i].is_shared;
      }
    }
  }
}

Misses misses_of(const std::vector<BlockTrace>& blocks, const Launch& launch, const Memory& memory,
                 double share_kept, const std::set<int>& warm) {
  std::map<int, Count> of_arrays;
  for (const BlockTrace& block : blocks) add_counts(of_arrays, block, memory);
  Misses made;
  for (const auto& [number, count] : of_arrays) {
    if (number < 0) continue;
    const Array& array = memory.arrays()[static_cast<std::size_t>(number)];
    const double touched = count.all / static_cast<double>(blocks.size()) *
                           static_cast<double>(launch.blocks()) / share_kept;
    const double sectors = static_cast<double>(array.bytes) / sector_bytes;
    const double share = warm.contains(number) ? 0 : std::min(1.0, sectors / touched);
    made.arrays.push_back(misses_of_array(array, count, share));
  }
  return made;
}

std::set<int> small_outputs(const std::vector<BlockTrace>& blocks, const Function& function,
                            const Memory& memory, double most_bytes) {
  std::set<int> made;
  const auto add = [&](const Trace& trace) {
    for (const Step& step : trace.steps) {
      if (step.lines == 0) continue;
      if (!is_store(function.code[static_cast<std::size_t>(step.instruction)].operation)) continue;
      const int number = memory.array_at(trace.lines[step.first_line].number * line_bytes);
      if (number < 0) continue;
      const auto bytes = memory.arrays()[static_cast<std::size_t>(number)].bytes;
      if (static_cast<double>(bytes) < most_bytes) made.insert(number);
    }
  };
  for (const BlockTrace& block : blocks) std::ranges::for_each(block, add);
  return made;
}

}  // namespace tilelab::estimator

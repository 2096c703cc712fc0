#include "estimator/estimate/addresses.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "estimator/execution/unknown.h"

namespace tilelab::estimator {

namespace {

// Lanes that store next to each other share lines.
constexpr double lanes_of_line = 4;

/// Accesses to an array.
struct Accesses {
  double lines = 0;
  double changed_lines = 0;  ///< By stores and atomics.
  double changing_lanes = 0;
};

/// Accesses where data say, by array. Those of the program's variables count as to no array.
struct FromData {
  std::map<int, Accesses> arrays;
  double outside = 0;
  double all_lines = 0;  ///< Those of all accesses.
};

bool is_load(Operation it) {
  return it == Operation::LDG || it == Operation::LD || it == Operation::LDGSTS;
}

/// Whether a trace has accesses to memory of the host.
bool reaches_host(const Trace& trace, const Memory& memory) {
  return std::ranges::any_of(trace.lines, [&](const Line& line) {
    const int array = memory.array_at(line.number * line_bytes);
    return array >= 0 && memory.arrays()[static_cast<std::size_t>(array)].is_of_host;
  });
}

void check_host_memory(const Sample& sample, const Memory& memory) {
  if (std::ranges::none_of(memory.arrays(), &Array::is_of_host)) return;
  for (const BlockTrace& block : sample.blocks) {
    for (const Trace& it : block) {
      if (!reaches_host(it, memory)) continue;
      throw Unknown(
          "it works in page-locked memory of the host, and how fast that is was not "
          "measured");
    }
  }
}

void add(FromData& to, const Trace& trace, const Work& work, const Sample& sample) {
  for (const Step& step : trace.steps) {
    const auto number = static_cast<std::size_t>(step.instruction);
    to.all_lines += step.lines;
    if (step.lines == 0 || !sample.follows_data[number]) continue;
    const bool changes = !is_load(work.function.code[number].operation);
    for (std::size_t i = step.first_line; i < std::size_t{step.first_line} + step.lines; ++i) {
      const std::uint64_t address = trace.lines[i].number * line_bytes;
      const int array = work.memory.array_at(address);
      Accesses& it = to.arrays[array];
      it.lines += 1;
      if (changes) it.changed_lines += 1;
      if (changes) it.changing_lanes += static_cast<double>(step.lanes) / step.lines;
      if (array < 0 && !is_variable(address)) to.outside += 1;
    }
  }
}

}  // namespace

void check_addresses(const Sample& sample, const Work& work, const Gpu& gpu) {
  check_host_memory(sample, work.memory);
  FromData found;
  for (const BlockTrace& block : sample.blocks) {
    for (const Trace& it : block) add(found, it, work, sample);
  }
  if (found.outside > most_unknown_lines * found.all_lines) throw unknown_addresses();
  for (const auto& [array, it] : found.arrays) {
    if (array < 0 || it.changing_lanes >= lanes_of_line * it.changed_lines) continue;
    const auto& whole = work.memory.arrays()[static_cast<std::size_t>(array)];
    if (static_cast<double>(whole.bytes) <= gpu.l2_reach) continue;
    throw Unknown(
        "it stores all over an array that the L2 cache cannot hold, and how fast that is "
        "was not measured");
  }
}

}  // namespace tilelab::estimator

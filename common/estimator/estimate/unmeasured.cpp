#include "estimator/estimate/unmeasured.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>

#include "estimator/execution/unknown.h"
#include "estimator/timing/l2_cache.h"

namespace tilelab::estimator {

namespace {

// Shares up to which a time changes by less than other things change it. On an H100, two kernels
// that work in local arrays took 2.3 and 2.6 times as long as the model says. Spills of a few
// registers are right.
constexpr double most_local = 0.06;
constexpr double most_local_misses = 0.05;
constexpr double most_scattered = 0.3;
constexpr double most_different_constants = 0.01;
// How far off a time may be that is all like this.
constexpr double error_of_random = 0.25;
constexpr double error_of_apart = 0.3;
constexpr double error_of_local = 0.3;
// On an H100, rows of atomic additions took two thirds of what the model says.
constexpr double error_of_atomics = 0.3;

/// The share of all steps that a trace counts there.
double share_of(std::uint64_t Trace::*counted, const Sample& sample) {
  double some = 0, all = 0;
  for (const BlockTrace& block : sample.blocks) {
    for (const Trace& it : block) {
      some += static_cast<double>(it.*counted);
      all += static_cast<double>(it.executed);
    }
  }
  return some / all;
}

/// Whether a later instruction jumps back to one, or to one before it.
bool is_in_loop(const Function& function, std::size_t number) {
  for (std::size_t i = number; i < function.code.size(); ++i) {
    for (const Operand& it : function.code[i].operands) {
      if (it.kind == Kind::label && it.value <= static_cast<std::int64_t>(number)) return true;
    }
  }
  return false;
}

/// Whether a loop reads what other blocks may write meanwhile: it may wait for them.
bool waits_for_blocks(const Function& function, const Sample& sample) {
  std::set<std::int32_t> waiting;
  for (std::size_t i = 0; i < function.code.size(); ++i) {
    const Instruction& it = function.code[i];
    const bool loads = it.operation == Operation::LDG || it.operation == Operation::LD;
    const bool is_strong = loads && it.has("STRONG") && !it.has("CTA");
    if (is_strong && is_in_loop(function, i)) waiting.insert(static_cast<std::int32_t>(i));
  }
  if (waiting.empty()) return false;
  return std::ranges::any_of(sample.blocks, [&](const BlockTrace& block) {
    return std::ranges::any_of(block, [&](const Trace& trace) {
      return std::ranges::any_of(trace.steps,
                                 [&](const Step& it) { return waiting.contains(it.instruction); });
    });
  });
}

/// The share of steps that access local memory.
double share_local(const Function& function, const Sample& sample) {
  double local = 0, all = 0;
  for (const BlockTrace& block : sample.blocks) {
    for (const Trace& trace : block) {
      for (const Step& it : trace.steps) {
        const Operation what = function.code[static_cast<std::size_t>(it.instruction)].operation;
        local += what == Operation::LDL || what == Operation::STL;
      }
      all += static_cast<double>(trace.steps.size());
    }
  }
  return local / all;
}

}  // namespace

double unmeasured(const Function& function, const Sample& sample, const Timing& timing,
                  const Setup& setup, const Misses& misses, const Gpu& gpu) {
  if (waits_for_blocks(function, sample)) {
    throw Unknown("its blocks may wait for each other, which is not simulated");
  }
  if (share_of(&Trace::different_constants, sample) > most_different_constants) {
    throw Unknown(
        "its lanes read different constants at once, and how fast that is was not measured");
  }
  if (share_local(function, sample) > most_local) {
    throw Unknown("it works in local memory, and how fast that is was not measured");
  }
  if (timing.local_misses > most_local_misses) {
    throw Unknown("its local memory does not stay in the L1 cache");
  }
  if (timing.traffic.scattered_atomics > most_scattered * timing.cycles) {
    throw Unknown("its atomics go all over memory, and how fast that is was not measured");
  }
  // DRAM may open random regions faster or slower than those at equal distances.
  const double random = misses.are_random ? timing.traffic.dram_busy / timing.cycles : 0;
  // Nobody knows whether L1 passes on what is stored to local memory.
  const double l2_cycles =
      sector_bytes * gpu.gigahertz * 1e9 * setup.neighbors / gpu.l2_bytes_per_second;
  const double local = std::min(1.0, timing.local_stores * l2_cycles / timing.cycles);
  const double atomics = std::min(1.0, timing.traffic.atomics_busy / timing.cycles);
  return error_of_random * random + error_of_apart * share_of(&Trace::apart, sample) +
         error_of_local * local + error_of_atomics * atomics;
}

}  // namespace tilelab::estimator

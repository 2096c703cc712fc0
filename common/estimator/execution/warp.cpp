#include "estimator/execution/warp.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "estimator/execution/instructions/sorted_operands.h"
#include "estimator/execution/unknown.h"

namespace tilelab::estimator {

Warp::Warp(BlockState& block, std::uint32_t first_thread)
    : block_(block), first_thread_(first_thread) {
  const std::uint32_t threads = std::min(32U, block.launch.threads() - first_thread);
  alive_ = threads == 32 ? all_lanes : (Mask{1} << threads) - 1;
  predicates_[7] = all_lanes;
  uniform_predicates_[7] = true;
}

void Warp::run(std::uint64_t most_steps, std::uint64_t kept) {
  at_barrier_ = false;
  while (!has_ended() && !at_barrier_ && trace.executed < most_steps) {
    step();
    ++trace.executed;
    keep_only(kept);
  }
}

/// Counts the last step instead of keeping it, if the trace is full.
void Warp::keep_only(std::uint64_t kept) {
  if (trace.steps.size() <= kept) return;
  const Step last = trace.steps.back();
  trace.steps.pop_back();
  trace.lines.resize(std::min(trace.lines.size(), std::size_t{last.first_line}));
  if (trace.later.empty()) trace.later.resize(block_.function.code.size());
  ++trace.later[static_cast<std::size_t>(last.instruction)];
}

/// The lanes with the lowest counter go first, so that paths meet again as early as possible.
void Warp::step() {
  const Mask ready = alive_ & ~exited_ & ~waiting_;
  if (ready == 0) throw Unknown("the threads of a warp wait for each other forever");
  std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
  for_each_lane(ready, [&](std::size_t lane) { lowest = std::min(lowest, counters_[lane]); });
  Mask here = 0;
  for_each_lane(ready, [&](std::size_t lane) { here |= Mask{counters_[lane] == lowest} << lane; });
  const auto& code = block_.function.code;
  if (static_cast<std::size_t>(lowest) >= code.size()) {
    throw Unknown("a thread runs past the end of the kernel's machine code");
  }
  const Instruction& one = code[static_cast<std::size_t>(lowest)];
  const Mask active = one.guard.kind == Kind::none ? here : here & predicate(one.guard);
  Step made;
  made.first_line = static_cast<std::uint32_t>(trace.lines.size());
  made.instruction = lowest;
  made.lanes = static_cast<std::uint16_t>(std::popcount(active));
  count_unknown_branch(one, lowest, active, here);
  if (!execute_control(one, active, here)) {
    unknown_loaded_ = 0;
    execute(one, active, made);
    unknown_.spread(one, active, unknown_loaded_);
    go(here, lowest + 1);
  }
  trace.steps.push_back(made);
}

/// A branch that always goes the same way, like that to the path for a rare argument, decides
/// nothing.
void Warp::count_unknown_branch(const Instruction& one, std::int32_t at, Mask active, Mask here) {
  if (one.pipe != Pipe::cbu || (unknown_.sources(one) & here) == 0) return;
  std::uint8_t& ways = ways_[at];
  ways |= active != 0 ? 1U : 0U;
  ways |= active != here ? 2U : 0U;
  if (ways == 3) ++trace.unknown_branches;
}

void Warp::execute(const Instruction& one, Mask active, Step& made) {
  if (execute_access(one, active, made)) return;
  if (active == 0 && one.operation != Operation::VOTEU) return;
  const SortedOperands sorted(one);
  if (execute_move(one, sorted, active) || execute_sum(one, sorted, active) ||
      execute_bits(one, sorted, active) || execute_bytes(one, sorted, active) ||
      execute_comparison(one, sorted, active) || execute_double(one, active) ||
      execute_real(one, active) || execute_halves(one, active) || execute_conversion(one, active) ||
      execute_across(one, active, made)) {
    return;
  }
  switch (one.operation) {
    case Operation::NOP:
    case Operation::FENCE:
    case Operation::PREEXIT:
    case Operation::ACQBULK:
    case Operation::MEMBAR:
    case Operation::ERRBAR:
    case Operation::CGAERRBAR:
    case Operation::CCTL:
    case Operation::LDGDEPBAR:
    case Operation::DEPBAR:
    case Operation::NANOSLEEP:
    case Operation::YIELD:
    case Operation::ENDCOLLECTIVE:
      return;
    default:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator

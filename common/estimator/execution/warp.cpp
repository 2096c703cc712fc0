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
  if (here != (alive_ & ~exited_)) ++trace.apart;
  if (family_of(one.operation) == Family::control) {
    execute_control(one, active, here);
  } else {
    unknown_loaded_ = 0;
    execute(one, active, made);
    unknown_.spread(one, active, unknown_loaded_);
    go(here, lowest + 1);
  }
  trace.steps.push_back(made);
}

void Warp::count_unknown_branch(const Instruction& one, std::int32_t at, Mask active, Mask here) {
  if (one.pipe != Pipe::cbu || (unknown_.sources(one) & here) == 0) return;
  std::uint8_t& ways = ways_[at];
  ways |= active != 0 ? 1U : 0U;
  ways |= active != here ? 2U : 0U;
  if (ways == 3 || !block_.global.trusts_made_up()) ++trace.unknown_branches;
}

void Warp::execute(const Instruction& one, Mask active, Step& made) {
  const Family family = family_of(one.operation);
  if (family == Family::access) return execute_access(one, active, made);
  if (active == 0 && one.operation != Operation::VOTEU) return;
  switch (family) {
    case Family::move:
      return execute_move(one, SortedOperands(one), active);
    case Family::sum:
      return execute_sum(one, SortedOperands(one), active);
    case Family::bits:
      return execute_bits(one, SortedOperands(one), active);
    case Family::bytes:
      return execute_bytes(one, SortedOperands(one), active);
    case Family::comparison:
      return execute_comparison(one, SortedOperands(one), active);
    case Family::twofold:
      return execute_double(one, active);
    case Family::real:
      return execute_real(one, active);
    case Family::halves:
      return execute_halves(one, active);
    case Family::conversion:
      return execute_conversion(one, active);
    case Family::across:
      return execute_across(one, active, made);
    case Family::nothing:
      return;
    case Family::control:
    case Family::access:
    case Family::unknown:
      throw unknown_instruction(one);
  }
}

}  // namespace tilelab::estimator

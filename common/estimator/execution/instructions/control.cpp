// Instructions that move lanes elsewhere, or have them wait for each other.

#include <bit>

#include "estimator/execution/unknown.h"
#include "estimator/execution/warp.h"

namespace tilelab::estimator {

namespace {

// The place where lanes meet that no BSSY names.
constexpr std::size_t whole_warp = 16;

std::size_t first_lane(Mask lanes) { return static_cast<std::size_t>(std::countr_zero(lanes)); }

// The size of an instruction in bytes: an address that is returned to is a multiple of it.
constexpr std::uint32_t instruction_bytes = 16;

}  // namespace

void Warp::execute_control(const Instruction& one, Mask active, Mask here) {
  const std::int64_t next = counters_[static_cast<std::size_t>(std::countr_zero(here))] + 1;
  const auto meeting = [&] { return static_cast<std::size_t>(one.operands[0].index & 15); };
  switch (one.operation) {
    case Operation::BRA: {
      go(here, next);
      if (one.has("DIV")) {
        // A branch to code for a warp whose lanes are apart. Here they wait for each other instead.
        meetings_[whole_warp] = alive_;
        wait_for(whole_warp, here);
      } else {
        go(taken(one, active, here), one.operands.back().value);
      }
      return;
    }
    case Operation::EXIT:
      go(here, next);
      exited_ |= active;
      meet();
      return;
    case Operation::BAR:
      if (one.has("RED")) throw unknown_instruction(one);
      go(here, next);
      at_barrier_ = !one.has("ARV");
      return;
    case Operation::BSSY:
      go(here, next);
      meetings_[meeting()] = here;
      return;
    case Operation::BREAK:
      // These lanes will not come to the meeting.
      go(here, next);
      meetings_[static_cast<std::size_t>(one.operands.back().index & 15)] &=
          ~taken(one, active, here);
      meet();
      return;
    case Operation::BSYNC:
      go(here, next);
      wait_for(meeting(), active);
      return;
    case Operation::CALL:
      go(here, next);
      go(active, one.operands.back().value);
      return;
    case Operation::RET: {
      const Lanes to = bits(one.operands[0]);
      go(here, next);
      for_each_lane(active, [&](std::size_t lane) {
        counters_[lane] = static_cast<std::int32_t>(to[lane] / instruction_bytes);
      });
      return;
    }
    case Operation::WARPSYNC: {
      go(here, next);
      if (one.has("COLLECTIVE") || active == 0) return;
      const bool names_lanes = !one.has("ALL") && !one.operands.empty();
      const Mask named = names_lanes ? bits(one.operands[0])[first_lane(active)] : all_lanes;
      meetings_[whole_warp] = named & alive_;
      wait_for(whole_warp, active);
      return;
    }
    default:
      throw unknown_instruction(one);
  }
}

void Warp::go(Mask lanes, std::int64_t to) {
  for_each_lane(lanes, [&](std::size_t lane) { counters_[lane] = static_cast<std::int32_t>(to); });
}

/// The lanes that take a branch. It may have predicates besides its guard.
Mask Warp::taken(const Instruction& branch, Mask active, Mask here) const {
  if (branch.has("ANY")) return active != 0 ? here : 0;
  Mask made = active;
  for (std::size_t i = 0; i + 1 < branch.operands.size(); ++i) {
    const Operand& it = branch.operands[i];
    if (is_predicate(it)) made &= predicate(it);
  }
  return made;
}

/// Lanes that come to a meeting wait for the others.
void Warp::wait_for(std::size_t meeting, Mask lanes) {
  arrived_[meeting] |= lanes & meetings_[meeting];
  waiting_ |= arrived_[meeting];
  meet();
}

/// Lets lanes go on where all that have not ended have come.
void Warp::meet() {
  for (std::size_t i = 0; i < meetings_.size(); ++i) {
    const Mask expected = meetings_[i] & ~exited_;
    if (arrived_[i] == 0 || (expected & ~arrived_[i]) != 0) continue;
    waiting_ &= ~arrived_[i];
    arrived_[i] = 0;
  }
}

}  // namespace tilelab::estimator

#include "estimator/timing/running_warp.h"

#include <algorithm>
#include <bit>
#include <cstdint>

namespace tilelab::estimator {

namespace {

constexpr std::size_t scoreboards = 6;
// Operands have left an instruction's way this many cycles after they were read.
constexpr double release_cycles = 8;
constexpr double branch_cycles = 8;
// No kernel waits for more groups of copies.
constexpr std::size_t most_groups = 64;

}  // namespace

Obstacle RunningWarp::dependencies() const {
  const Instruction& one = instruction();
  const std::int32_t itself = step().instruction;
  Obstacle made{ready, Stall::wait, itself};
  for (std::uint32_t waits = one.control.waits; waits != 0; waits &= waits - 1) {
    const auto at = static_cast<std::size_t>(std::countr_zero(waits));
    made.add(scoreboards_[at], is_long_[at] ? Stall::long_scoreboard : Stall::short_scoreboard,
             holders_[at]);
  }
  if (one.operation == Operation::DEPBAR) {
    made.add(copies_done(one), Stall::long_scoreboard, itself);
  }
  return made;
}

/// When all groups of copies are done but as many as the instruction says.
double RunningWarp::copies_done(const Instruction& one) const {
  std::size_t left = 0;
  for (const Operand& it : one.operands) {
    if (it.kind == Kind::number) left = static_cast<std::size_t>(it.value);
  }
  return groups_.size() > left ? groups_[groups_.size() - 1 - left] : 0;
}

void RunningWarp::issue(double now, const Served& served) {
  const Instruction& one = instruction();
  const auto hold = [this](int scoreboard, double until, bool is_long) {
    const auto at = static_cast<std::size_t>(scoreboard);
    if (at >= scoreboards) return;
    scoreboards_[at] = std::max(scoreboards_[at], until);
    is_long_[at] = is_long;
    holders_[at] = step().instruction;
  };
  hold(one.control.write_scoreboard, served.done, served.is_long);
  hold(one.control.read_scoreboard, served.read + release_cycles, false);
  ready = now + std::max(1, one.control.stall);
  if (one.operation == Operation::BRA) ready = std::max(ready, now + branch_cycles);
  copied_ = std::max(copied_, served.copied);
  if (one.operation == Operation::LDGDEPBAR) {
    groups_.push_back(std::max(copied_, groups_.empty() ? 0 : groups_.back()));
    copied_ = 0;
    if (groups_.size() > most_groups) groups_.pop_front();
  }
  ++next_;
}

}  // namespace tilelab::estimator

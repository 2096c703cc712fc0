#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "estimator/code/instruction.h"
#include "estimator/execution/trace.h"
#include "estimator/timing/l1_unit.h"
#include "estimator/timing/stall.h"

namespace tilelab::estimator {

/// What an instruction waits for longest.
struct Obstacle {
  double until = 0;  ///< The cycle in which the last one is gone.
  Stall why = Stall::wait;
  std::int32_t cause = 0;  ///< The instruction that it waits for: perhaps itself.

  void add(double when, Stall what, std::int32_t instruction) {
    if (when > until) *this = {when, what, instruction};
  }
};

/// A warp on its way through its trace.
class RunningWarp {
 public:
  /// @param of_block  which block of the SM it belongs to
  /// @param begin     the cycle in which it may issue its first instruction
  RunningWarp(const Function& function, const Trace& trace, int of_block, double begin)
      : block(of_block), ready(begin), function_(&function), trace_(&trace) {}

  const Trace& trace() const { return *trace_; }
  const Step& step() const { return trace_->steps[next_]; }
  const Instruction& instruction() const {
    return function_->code[static_cast<std::size_t>(step().instruction)];
  }
  /// The last one that was issued.
  std::int32_t last_instruction() const { return trace_->steps[next_ - 1].instruction; }
  bool has_begun() const { return next_ > 0; }
  bool has_ended() const { return next_ == trace_->steps.size(); }

  /// Until when the next instruction waits for earlier ones of the same warp.
  Obstacle dependencies() const;

  /// The next instruction is issued.
  void issue(double now, const Served& served);

  int block;
  double ready;             ///< The cycle in which the stall count of the last instruction is over.
  bool at_barrier = false;  ///< Whether it waits for other warps of its block.

 private:
  double copies_done(const Instruction& one) const;

  const Function* function_;
  const Trace* trace_;
  std::size_t next_ = 0;
  std::array<double, 6> scoreboards_{};    ///< when each is released
  std::array<bool, 6> is_long_{};          ///< whether global memory holds it
  std::array<std::int32_t, 6> holders_{};  ///< the instruction that releases it
  double copied_ = 0;                      ///< when the open group's asynchronous copies are done
  std::deque<double> groups_;              ///< when those of each closed group are
};

}  // namespace tilelab::estimator

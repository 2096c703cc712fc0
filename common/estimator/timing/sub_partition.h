#pragma once

#include <array>
#include <cstddef>

#include "estimator/code/instruction.h"
#include "estimator/timing/gpu.h"

namespace tilelab::estimator {

/// An SM has this many.
inline constexpr std::size_t sub_partitions = 4;

/// The pipes and the banks of registers of a sub-partition of an SM. It issues one instruction
/// per cycle. Times are in cycles.
class SubPartition {
 public:
  explicit SubPartition(const Gpu& gpu) : gpu_(gpu) {}

  /// When an instruction's pipe takes it. The unit that serves memory is not in here.
  double pipe_free(const Instruction& one) const;

  /// When an instruction can begin to read its registers.
  double banks_free(const Instruction& one) const;

  /// An instruction is issued.
  void issue(double now, const Instruction& one);

 private:
  double busy_cycles(Pipe pipe) const;

  const Gpu& gpu_;
  std::array<double, 2> fma_free_{};  ///< of the two halves; the first takes what is heavy
  std::array<double, pipes> free_{};
  std::array<double, 2> banks_free_{};
};

}  // namespace tilelab::estimator

#pragma once

#include <array>

#include "estimator/code/instruction.h"
#include "estimator/execution/lanes.h"

namespace tilelab::estimator {

/// Which registers and predicates of a warp hold values that nobody knows, because they were made
/// from data that no executed block computed.
class UnknownValues {
 public:
  /// The lanes for which an operand that is read, or the guard, is unknown.
  Mask sources(const Instruction& one) const;

  /// The lanes for which an address in global memory is unknown.
  Mask address(const Operand& place) const;

  /// What is made from unknown values is unknown itself.
  /// @param loaded  the lanes that loaded an unknown value
  void spread(const Instruction& one, Mask active, Mask loaded);

 private:
  Mask of(const Operand& it) const;

  std::array<Mask, 256> registers_{};
  std::array<Mask, 64> uniform_{};
  std::array<Mask, 8> predicates_{};
  std::array<Mask, 8> uniform_predicates_{};
};

}  // namespace tilelab::estimator

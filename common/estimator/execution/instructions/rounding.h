#pragma once

#include <cfenv>

#include "estimator/code/instruction.h"

namespace tilelab::estimator {

/// How an instruction rounds. Without a modifier it rounds to the nearest, and ties to even.
inline int rounding_of(const Instruction& one) {
  if (one.has("RM")) return FE_DOWNWARD;
  if (one.has("RP")) return FE_UPWARD;
  if (one.has("RZ")) return FE_TOWARDZERO;
  return FE_TONEAREST;
}

/// While it lives, the host rounds as an instruction does. What is computed then must come from a
/// volatile variable and go to one. Compilers move other arithmetic past a change of the rounding.
class Rounding {
 public:
  explicit Rounding(const Instruction& one) { std::fesetround(rounding_of(one)); }
  ~Rounding() { std::fesetround(FE_TONEAREST); }
  Rounding(const Rounding&) = delete;
  Rounding& operator=(const Rounding&) = delete;
};

}  // namespace tilelab::estimator

#pragma once

#include <cmath>

#include "estimator/code/instruction.h"
#include "estimator/execution/lanes.h"

namespace tilelab::estimator {

/// Whether two reals of any precision compare as an instruction asks. With NaN, only comparisons
/// that end in U are true.
inline bool compare_reals(const Instruction& one, double a, double b) {
  const bool unordered = std::isnan(a) || std::isnan(b);
  const auto is = [&](const char* ordered, const char* or_unordered, bool so) {
    return (one.has(ordered) && !unordered && so) || (one.has(or_unordered) && (unordered || so));
  };
  return is("LT", "LTU", a < b) || is("LE", "LEU", a <= b) || is("GT", "GTU", a > b) ||
         is("GE", "GEU", a >= b) || is("EQ", "EQU", a == b) || is("NE", "NEU", a < b || a > b) ||
         (one.has("NUM") && !unordered) || (one.has("NAN") && unordered);
}

/// Whether a number is less than another, where -0 is less than 0.
inline bool is_below(double a, double b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}

/// The result of a comparison, joined with a predicate.
inline Mask joined(const Instruction& one, Mask is_so, Mask with) {
  return one.has("OR") ? is_so | with : one.has("XOR") ? is_so ^ with : is_so & with;
}

}  // namespace tilelab::estimator

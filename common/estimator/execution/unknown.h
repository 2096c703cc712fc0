#pragma once

#include <stdexcept>

#include "estimator/code/instruction.h"

namespace tilelab::estimator {

/// A kernel does something that the estimator does not know. what() is a sentence that says what,
/// without its full stop.
struct Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The exception for an instruction.
inline Unknown unknown_instruction(const Instruction& one) {
  return Unknown("the estimate does not know the instruction " + one.text);
}

// Where fewer of all lines lie hardly changes a time.
constexpr double most_unknown_lines = 0.05;

/// The exception for addresses.
inline Unknown unknown_addresses() {
  return Unknown("where it accesses memory depends on data that nobody has");
}

}  // namespace tilelab::estimator

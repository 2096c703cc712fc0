#pragma once

#include <stdexcept>
#include <string>

#include "estimator/code/instruction.h"

namespace tilelab::estimator {

/// A kernel does something that the estimator does not know. what() is a sentence that says what,
/// without its full stop.
struct Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// The exception for an instruction.
Unknown unknown_instruction(const Instruction& one);

/// The exception for one that reads a special register which no launch determines.
Unknown unknown_register(const Instruction& one);

// Where fewer of all lines lie hardly changes a time.
constexpr double most_unknown_lines = 0.05;

/// The exception for addresses.
inline Unknown unknown_addresses() {
  return Unknown("where it accesses memory depends on data that nobody has");
}

}  // namespace tilelab::estimator

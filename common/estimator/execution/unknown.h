#pragma once

#include <regex>
#include <stdexcept>
#include <string>

#include "estimator/code/instruction.h"

namespace tilelab::estimator {

/// A kernel does something that the estimator does not know. what() is a sentence that says what,
/// without its full stop.
struct Unknown : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Whether an instruction multiplies matrices, or loads or transposes them for that.
inline bool is_for_tensor_cores(const Instruction& one) {
  static const std::regex names("([A-Z]?G?MMA|LDSM|STSM|MOVM)\\b.*");
  return std::regex_match(one.text, names);
}

/// The exception for an instruction.
inline Unknown unknown_instruction(const Instruction& one) {
  const std::string name = "the instruction " + one.text;
  return Unknown("the estimate does not know " +
                 (is_for_tensor_cores(one) ? "tensor cores, which " + name + " is for" : name));
}

// Where fewer of all lines lie hardly changes a time.
constexpr double most_unknown_lines = 0.05;

/// The exception for addresses.
inline Unknown unknown_addresses() {
  return Unknown("where it accesses memory depends on data that nobody has");
}

}  // namespace tilelab::estimator

#include "judge/calls/arguments.h"

#include <algorithm>

namespace tilelab::judge {

std::string describe(const Function& function, const std::vector<CallArgument>& arguments) {
  std::string text = std::string(function.name) + "(";
  const char* separator = "";
  for (const CallArgument& argument : arguments) {
    if (argument.role == wire::Role::returned) continue;
    text += separator + argument.shown;
    separator = ", ";
  }
  return text + ")";
}

std::size_t bytes_of_arrays(const std::vector<CallArgument>& arguments) {
  std::size_t bytes = 0;
  for (const CallArgument& one : arguments) bytes += one.bytes;
  return bytes;
}

Problem problem_of(const std::vector<CallArgument>& arguments) {
  Problem problem;
  for (const CallArgument& argument : arguments) {
    const bool is_read = wire::is_read(argument.role);
    const bool is_written = wire::is_array(argument.role) && wire::is_written(argument.role);
    if (is_read) problem.input_bytes += argument.bytes;
    if (is_written) problem.output_bytes += argument.bytes;
    if (is_read || is_written) {
      problem.elements = std::max(problem.elements, argument.bytes / argument.element_bytes);
    }
  }
  return problem;
}

}  // namespace tilelab::judge

#include "judge/calls/arguments.h"

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

std::size_t bytes_read(const std::vector<CallArgument>& arguments) {
  std::size_t bytes = 0;
  for (const CallArgument& argument : arguments) {
    if (wire::is_read(argument.role)) bytes += argument.bytes;
  }
  return bytes;
}

std::size_t bytes_written(const std::vector<CallArgument>& arguments) {
  std::size_t bytes = 0;
  for (const CallArgument& argument : arguments) {
    const bool is_written = wire::is_array(argument.role) && wire::is_written(argument.role);
    if (is_written) bytes += argument.bytes;
  }
  return bytes;
}

}  // namespace tilelab::judge

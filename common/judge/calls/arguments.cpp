#include "judge/calls/arguments.h"

#include <sstream>

namespace tilelab::judge {

std::string parameter_name(const char* names, std::size_t position) {
  std::istringstream list(names);
  std::string name;
  for (std::size_t i = 0; i <= position; ++i) std::getline(list >> std::ws, name, ',');
  return name;
}

std::string describe(const Function& function, const std::vector<CallArgument>& arguments) {
  std::string text = std::string(function.name) + "(";
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    text += (i == 0 ? "" : ", ") + arguments[i].shown;
  }
  return text + ")";
}

}  // namespace tilelab::judge

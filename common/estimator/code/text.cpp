#include "estimator/code/text.h"

#include <cctype>
#include <cstddef>

namespace tilelab::estimator {

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) {
    text.remove_prefix(1);
  }
  while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) {
    text.remove_suffix(1);
  }
  return text;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  std::size_t begin = 0;
  int depth = 0;
  for (std::size_t i = 0; i <= text.size(); ++i) {
    const bool is_end = i == text.size();
    if (!is_end && (text[i] == '(' || text[i] == '[')) ++depth;
    if (!is_end && (text[i] == ')' || text[i] == ']')) --depth;
    if (is_end || (text[i] == separator && depth == 0)) {
      parts.push_back(text.substr(begin, i - begin));
      begin = i + 1;
    }
  }
  return parts;
}

}  // namespace tilelab::estimator

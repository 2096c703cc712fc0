#pragma once

#include <string_view>
#include <vector>

namespace tilelab::estimator {

/// The text without the space around it.
std::string_view trimmed(std::string_view text);

/// The parts between separators, except for those in parentheses and brackets.
std::vector<std::string_view> split(std::string_view text, char separator);

}  // namespace tilelab::estimator

#pragma once

#include <string>
#include <string_view>

namespace tilelab::report {

/// What a line indexes that has a type such as "float [17]": "coefficients", or "a row of tile" for
/// an array whose rows have it. Empty unless the line has one such array that the text declares.
std::string indexed_array(std::string_view text, unsigned line, std::string_view type);

}  // namespace tilelab::report

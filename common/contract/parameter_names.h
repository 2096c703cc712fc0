#pragma once

#include <cstddef>
#include <string_view>

/// The names of a function's parameters, as TILELAB_LAB_FUNCTIONS lists them: "inout(values),
/// scratch(work), n".
namespace tilelab::contract {

/// The text without white space at its ends.
constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

/// How many parameters a list names.
constexpr std::size_t count_of(std::string_view names) {
  if (trimmed(names).empty()) return 0;
  std::size_t count = 1;
  for (const char c : names) count += c == ',' ? 1 : 0;
  return count;
}

/// What a list says of a parameter, with the marker.
constexpr std::string_view marked_name(std::string_view names, std::size_t position) {
  for (; position > 0; --position) names.remove_prefix(names.find(',') + 1);
  return trimmed(names.substr(0, names.find(',')));
}

/// The marker of a parameter, or "" if it has none.
constexpr std::string_view marker_of(std::string_view names, std::size_t position) {
  const std::string_view text = marked_name(names, position);
  const std::size_t open = text.find('(');
  if (open == text.npos || text.back() != ')') return {};
  return trimmed(text.substr(0, open));
}

/// Whether a list says that a function also reads what it writes there.
constexpr bool is_inout(std::string_view names, std::size_t position) {
  return marker_of(names, position) == "inout";
}

/// Whether a list says that a function only works there.
constexpr bool is_scratch(std::string_view names, std::size_t position) {
  return marker_of(names, position) == "scratch";
}

/// The name itself.
constexpr std::string_view name_of(std::string_view names, std::size_t position) {
  std::string_view text = marked_name(names, position);
  if (!is_inout(names, position) && !is_scratch(names, position)) return text;
  text.remove_suffix(1);
  return trimmed(text.substr(text.find('(') + 1));
}

}  // namespace tilelab::contract

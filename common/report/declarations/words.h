#pragma once

#include <cctype>
#include <cstddef>
#include <string_view>

/// The words of a source file.
namespace tilelab::report {

inline bool is_in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// Where the text has the word next, not as a part of another one; npos if nowhere.
inline std::size_t find_word(std::string_view text, std::string_view word, std::size_t from) {
  for (std::size_t at = from; (at = text.find(word, at)) != text.npos; ++at) {
    const std::size_t end = at + word.size();
    const bool begins = at == 0 || !is_in_word(text[at - 1]);
    if (begins && (end == text.size() || !is_in_word(text[end]))) return at;
  }
  return text.npos;
}

inline std::string_view without_spaces_before(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first == text.npos ? std::string_view{} : text.substr(first);
}

}  // namespace tilelab::report

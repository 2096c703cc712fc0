#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tilelab::rewriter {

enum class Kind { identifier, number, literal, punctuator };

/// A token of preprocessed C++ together with all that comes before it: blanks, line ends, line
/// markers, pragmas. Printing every token in turn gives back the text.
struct Token {
  Kind kind;
  std::string_view leading;
  std::string_view text;
  std::string_view file;  ///< The file, as the line markers name it.
  unsigned line;
  bool is_user_code;  ///< Whether it is in no header of the system or the emulator.

  bool is(std::string_view wanted) const { return text == wanted; }
  bool is_any(std::initializer_list<std::string_view> wanted) const {
    return std::find(wanted.begin(), wanted.end(), text) != wanted.end();
  }
};

/// Whether the headers made it of __shared__. The second word is that of a checked build.
inline bool is_shared_word(const Token& token) {
  return token.is_any({"tilelab_shared_memory", "tilelab_watched_shared_memory"});
}

/// The number of no token.
constexpr std::size_t nowhere = std::numeric_limits<std::size_t>::max();

struct TokenizedText {
  std::vector<Token> tokens;
  std::string_view trailing;  ///< What comes after the last token.
};

/// Splits preprocessed text. Never fails, whatever the text. The views point into the text.
/// Punctuators come character by character, except `::`, `->`, `<=` and `>=`.
/// @param source  the main file, which is always user code, so that a pragma cannot declare it a
///                system header
TokenizedText tokenize(std::string_view text, std::string_view source);

}  // namespace tilelab::rewriter

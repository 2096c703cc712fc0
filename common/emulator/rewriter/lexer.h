#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tilelab::rewriter {

enum class Kind { identifier, number, literal, punctuator };

/// A token of preprocessed C++ together with all that stands before it (blanks, line ends, line
/// markers, pragmas), so that printing every token in turn gives back the text.
struct Token {
  Kind kind;
  std::string_view leading;
  std::string_view text;
  std::string_view file;  ///< as the line markers name it
  unsigned line;
  bool is_user_code;  ///< neither a system header's nor the emulator's

  bool is(std::string_view wanted) const { return text == wanted; }
};

struct TokenizedText {
  std::vector<Token> tokens;
  std::string_view trailing;  ///< what stands after the last token
};

/// Splits preprocessed text; never fails, whatever the text. The views point into it.
/// Punctuators come character by character, except `::`, `->`, `<=` and `>=`.
/// @param source  the translation unit's main file: always user code, so that a pragma cannot
///                declare it a system header
TokenizedText tokenize(std::string_view text, std::string_view source);

}  // namespace tilelab::rewriter

#include "lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <set>

namespace tilelab::rewriter {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier_start(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return std::isalpha(byte) != 0 || c == '_' || c == '$' || byte >= 0x80;
}

bool is_identifier_part(char c) { return is_identifier_start(c) || is_digit(c); }

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

bool is_literal_prefix(std::string_view word) {
  constexpr std::array prefixes = {"u8", "u", "U", "L", "R", "u8R", "uR", "UR", "LR"};
  return std::find(prefixes.begin(), prefixes.end(), word) != prefixes.end();
}

class Lexer {
 public:
  Lexer(std::string_view text, std::string_view source) : text_(text), source_(source) {}

  TokenizedText run() {
    TokenizedText result;
    for (;;) {
      const std::size_t begin = position_;
      skip_leading();
      const std::string_view leading = text_.substr(begin, position_ - begin);
      if (position_ == text_.size()) {
        result.trailing = leading;
        return result;
      }
      const std::size_t start = position_;
      const unsigned line = line_;
      const Kind kind = scan_token();
      const std::string_view token = text_.substr(start, position_ - start);
      line_ += static_cast<unsigned>(std::count(token.begin(), token.end(), '\n'));
      at_line_start_ = false;
      result.tokens.push_back({kind, leading, token, file_, line, is_user_code_});
    }
  }

 private:
  char peek(std::size_t ahead = 0) const {
    return position_ + ahead < text_.size() ? text_[position_ + ahead] : '\0';
  }

  void skip_leading() {
    while (position_ < text_.size()) {
      const char c = text_[position_];
      if (c == '\n') {
        ++line_;
        ++position_;
        at_line_start_ = true;
      } else if (is_blank(c)) {
        ++position_;
      } else if (c == '#' && at_line_start_) {
        skip_directive();
      } else {
        return;
      }
    }
  }

  /// A line marker (`# 12 "file" 1 3`) or a pragma, up to the line's end.
  void skip_directive() {
    const std::size_t end = std::min(text_.find('\n', position_), text_.size());
    const std::string_view line = text_.substr(position_, end - position_);
    position_ = end;
    if (line.size() > 2 && line[1] == ' ' && is_digit(line[2])) read_line_marker(line);
  }

  void read_line_marker(std::string_view marker) {
    unsigned number = 0;
    std::from_chars(marker.data() + 2, marker.data() + marker.size(), number);
    // The marker gives the number of the next line, which the end of its own line will reach.
    line_ = number - 1;
    const std::size_t open = marker.find('"');
    const std::size_t close = marker.rfind('"');
    if (open == std::string_view::npos || close == open) return;
    file_ = marker.substr(open + 1, close - open - 1);
    // Flag 1 enters a file, and flag 3 marks a system header. In the middle of a file, 3 only marks
    // a macro that comes from one.
    const std::string_view flags = marker.substr(close + 1);
    const auto has = [&](char flag) { return flags.find(flag) != std::string_view::npos; };
    if (has('1') && has('3')) system_files_.insert(file_);
    is_user_code_ = file_ == source_ || !system_files_.contains(file_);
  }

  Kind scan_token() {
    const char c = peek();
    if (is_identifier_start(c) || is_at_universal_name()) return scan_word();
    if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return scan_number();
    if (c == '"' || c == '\'') return scan_quoted(c);
    constexpr std::array two_characters = {"::", "->", "<=", ">="};
    const std::string_view pair = text_.substr(position_, 2);
    const bool is_pair =
        std::find(two_characters.begin(), two_characters.end(), pair) != two_characters.end();
    position_ += is_pair ? 2 : 1;
    return Kind::punctuator;
  }

  /// Preprocessors write letters of a name that are not ASCII as \\u00f6 or \\U000000f6.
  bool is_at_universal_name() const { return peek() == '\\' && (peek(1) == 'u' || peek(1) == 'U'); }

  Kind scan_word() {
    const std::size_t start = position_;
    while (is_identifier_part(peek()) || is_at_universal_name()) ++position_;
    const std::string_view word = text_.substr(start, position_ - start);
    if ((peek() == '"' || peek() == '\'') && is_literal_prefix(word)) {
      return word.back() == 'R' && peek() == '"' ? scan_raw_string() : scan_quoted(peek());
    }
    return Kind::identifier;
  }

  Kind scan_number() {
    char previous = '\0';
    while (position_ < text_.size()) {
      const char c = peek();
      const bool is_exponent_sign =
          (c == '+' || c == '-') &&
          std::string_view("eEpP").find(previous) != std::string_view::npos;
      const bool is_separator = c == '\'' && is_identifier_part(peek(1));
      if (!is_identifier_part(c) && c != '.' && !is_exponent_sign && !is_separator) break;
      previous = c;
      ++position_;
    }
    return Kind::number;
  }

  /// A string or character literal. If it is not terminated, it ends with its line.
  Kind scan_quoted(char quote) {
    ++position_;
    while (position_ < text_.size() && peek() != '\n') {
      const char c = text_[position_++];
      if (c == quote) break;
      if (c == '\\' && position_ < text_.size() && peek() != '\n') ++position_;
    }
    return Kind::literal;
  }

  Kind scan_raw_string() {
    constexpr std::size_t longest_delimiter = 16;
    const std::size_t open = text_.substr(position_, longest_delimiter + 2).find('(');
    if (open == std::string_view::npos) return scan_quoted('"');
    std::string close(1, ')');
    close += text_.substr(position_ + 1, open - 1);
    close += '"';
    const std::size_t end = text_.find(close, position_ + open);
    position_ = end == std::string_view::npos ? text_.size() : end + close.size();
    return Kind::literal;
  }

  std::string_view text_;
  std::string_view source_;
  std::size_t position_ = 0;
  bool at_line_start_ = true;
  std::string_view file_;
  unsigned line_ = 1;
  bool is_user_code_ = false;
  std::set<std::string_view> system_files_;
};

}  // namespace

TokenizedText tokenize(std::string_view text, std::string_view source) {
  return Lexer(text, source).run();
}

}  // namespace tilelab::rewriter

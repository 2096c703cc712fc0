#include "files/line_directives.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

namespace tilelab::rewriter {
namespace {

/// A source whose continued lines are joined, as the compiler's first step does.
struct JoinedSource {
  std::string text;
  std::vector<unsigned> lines;  ///< The line of each character.
};

JoinedSource join_lines(std::string_view source) {
  JoinedSource result;
  unsigned line = 1;
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\\') {
      // Compilers also accept blanks between the backslash and the line's end.
      std::size_t end = i + 1;
      while (end < source.size() && source[end] != '\n' &&
             std::isspace(static_cast<unsigned char>(source[end])) != 0) {
        ++end;
      }
      if (end < source.size() && source[end] == '\n') {
        ++line;
        i = end;
        continue;
      }
    }
    result.text += source[i];
    result.lines.push_back(line);
    if (source[i] == '\n') ++line;
  }
  return result;
}

class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  /// Whether a directive that begins at `position` is about line numbers.
  bool is_line_directive(std::size_t position) {
    if (text_.compare(position, 1, "#") == 0) {
      position += 1;
    } else if (text_.compare(position, 2, "%:") == 0) {
      position += 2;
    } else {
      return false;
    }
    position = skip_blanks_and_comments(position);
    const bool is_number =
        position < text_.size() && std::isdigit(static_cast<unsigned char>(text_[position])) != 0;
    return is_number || text_.compare(position, 4, "line") == 0;
  }

 private:
  std::size_t skip_blanks_and_comments(std::size_t position) {
    for (;;) {
      while (position < text_.size() && text_[position] != '\n' &&
             std::isspace(static_cast<unsigned char>(text_[position])) != 0) {
        ++position;
      }
      if (text_.compare(position, 2, "/*") != 0) return position;
      position = comment_end(position + 2);
    }
  }

  /// Positions only grow from call to call, so one pass over the text is enough for all calls.
  std::size_t comment_end(std::size_t position) {
    if (next_end_ < position) next_end_ = std::min(text_.find("*/", position), text_.size());
    return std::min(next_end_ + 2, text_.size());
  }

  const std::string& text_;
  std::size_t next_end_ = 0;
};

}  // namespace

void refuse_line_directives(std::string_view source, std::string_view file,
                            Diagnostics& diagnostics) {
  const JoinedSource joined = join_lines(source);
  Scanner scanner(joined.text);
  bool can_begin = true;  // at the begin of a line, or after a comment
  for (std::size_t i = 0; i < joined.text.size(); ++i) {
    const char c = joined.text[i];
    if (can_begin && scanner.is_line_directive(i)) {
      diagnostics.error(file, joined.lines[i],
                        "line directives are not allowed, so that messages name the right lines: "
                        "remove this #line");
    }
    const bool ends_comment = c == '/' && i > 0 && joined.text[i - 1] == '*';
    const bool is_space = std::isspace(static_cast<unsigned char>(c)) != 0;
    can_begin = c == '\n' || ends_comment || (can_begin && is_space);
  }
}

}  // namespace tilelab::rewriter

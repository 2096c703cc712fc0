#include "text/statements.h"

namespace tilelab::rewriter {

Statements::Statements(const EditedText& text)
    : tokens_(text.tokens()), closing_(text.closing()), opening_(opening_brackets(closing_)) {}

bool Statements::begins_at(std::size_t i) const {
  if (i == 0) return false;
  const Token& before = tokens_[i - 1];
  if (!before.is(")")) return before.is_any({";", "{", "}", "else", "do"});
  const std::size_t open = opening_[i - 1];
  if (open == 0 || open == nowhere) return false;
  const bool is_void = open + 3 == i && tokens_[open + 1].is("void");
  return is_void ? begins_at(open) : tokens_[open - 1].is_any({"if", "for", "while"});
}

bool Statements::is_call_alone(std::size_t i) const {
  if (i + 1 >= tokens_.size() || !tokens_[i + 1].is("(")) return false;
  const std::size_t end = closing_[i + 1];
  return end != 0 && end + 1 < tokens_.size() && tokens_[end + 1].is(";") && begins_at(i);
}

}  // namespace tilelab::rewriter

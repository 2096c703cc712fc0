#include "text/statements.h"

#include "text/outline.h"

namespace tilelab::rewriter {

Statements::Statements(const std::vector<Token>& tokens)
    : tokens_(tokens), closing_(closing_brackets(tokens)), opening_(tokens.size()) {
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (closing_[i] != 0) opening_[closing_[i]] = i;
  }
}

bool Statements::begins_at(std::size_t i) const {
  if (i == 0) return false;
  const Token& before = tokens_[i - 1];
  if (!before.is(")")) return before.is_any({";", "{", "}", "else", "do"});
  const std::size_t open = opening_[i - 1];
  if (open == 0) return false;
  const bool is_void = open + 3 == i && tokens_[open + 1].is("void");
  return is_void ? begins_at(open) : tokens_[open - 1].is_any({"if", "for", "while"});
}

bool Statements::is_call_alone(std::size_t i) const {
  if (i + 1 >= tokens_.size() || !tokens_[i + 1].is("(")) return false;
  const std::size_t end = closing_[i + 1];
  return end != 0 && end + 1 < tokens_.size() && tokens_[end + 1].is(";") && begins_at(i);
}

}  // namespace tilelab::rewriter

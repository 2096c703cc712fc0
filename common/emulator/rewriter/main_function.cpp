#include "main_function.h"

#include <algorithm>
#include <vector>

namespace tilelab::rewriter {
namespace {

/// After the lambda that begins at this bracket, or the next token if none does.
std::size_t after_lambda(const std::vector<Token>& tokens, const std::vector<std::size_t>& closing,
                         std::size_t i) {
  const Token& before = tokens[i - 1];
  const bool is_index =
      before.kind == Kind::identifier ? !before.is("return") : before.is("]") || before.is(")");
  if (is_index || closing[i] == 0) return i + 1;
  std::size_t at = closing[i] + 1;
  while (at < tokens.size() && !tokens[at].is("{")) {
    if (tokens[at].is(";") || tokens[at].is(",")) return i + 1;
    at = std::max(at, closing[at]) + 1;
  }
  return at < tokens.size() ? std::max(at, closing[at]) + 1 : i + 1;
}

}  // namespace

void complete_returns_of_main(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  for (const Function& function : text.outline().functions) {
    if (function.name != "main" || !function.class_name.empty() || !function.has_body) continue;
    for (std::size_t i = function.begin; i + 1 < function.end;) {
      if (tokens[i].is("return") && tokens[i + 1].is(";")) text.replace(i, "return 0");
      i = tokens[i].is("[") ? after_lambda(tokens, text.closing(), i) : i + 1;
    }
  }
}

}  // namespace tilelab::rewriter

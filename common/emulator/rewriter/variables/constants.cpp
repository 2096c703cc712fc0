#include "variables/constants.h"

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <vector>

namespace tilelab::rewriter {
namespace {

bool is_any(const Token& token, std::initializer_list<const char*> texts) {
  return std::any_of(texts.begin(), texts.end(), [&](const char* one) { return token.is(one); });
}

/// Whether the variable is `const`, in whose declaration the token is. A pointer to something that
/// is may itself be written.
bool is_const(const std::vector<Token>& tokens, std::size_t i) {
  std::size_t begin = i;
  while (begin > 0 && !is_any(tokens[begin - 1], {";", "{", "}"})) --begin;
  bool result = false;
  for (std::size_t at = begin; at < tokens.size(); ++at) {
    if (is_any(tokens[at], {"=", ";", "{", "["})) break;
    if (is_any(tokens[at], {"const", "constexpr"})) result = true;
    if (tokens[at].is("*")) result = false;
  }
  return result;
}

}  // namespace

void separate_constants(EditedText& text) {
  const std::vector<Token>& tokens = text.tokens();
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is("\"tilelab_constant\"") || !is_const(tokens, i)) continue;
    text.replace(i, "\"tilelab_constant_values\"");
  }
}

}  // namespace tilelab::rewriter

#include "variables/constants.h"

#include <cstddef>
#include <vector>

namespace tilelab::rewriter {
namespace {

/// Whether the variable is `const`, in whose declaration the token is. A pointer to something that
/// is may itself be written.
bool is_const(const std::vector<Token>& tokens, std::size_t i) {
  std::size_t begin = i;
  while (begin > 0 && !tokens[begin - 1].is_any({";", "{", "}"})) --begin;
  bool result = false;
  for (std::size_t at = begin; at < tokens.size(); ++at) {
    if (tokens[at].is_any({"=", ";", "{", "["})) break;
    if (tokens[at].is_any({"const", "constexpr"})) result = true;
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
